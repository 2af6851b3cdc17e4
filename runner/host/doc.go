// Package host says what machine this is and how it fared while something was measured:
// memory, memory pressure, load, and who else was at work. What the system does not tell is
// absent.
package host
