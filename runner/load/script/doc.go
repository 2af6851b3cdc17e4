// Package script is a server that plays what it is told, byte for byte, and notes when it
// wrote each of them: the truth that a client's times are held against. It also plays the
// faults that no real engine shows on command.
//
// An [Answer] is a list of steps: wait, write, act. The bytes are framed as HTTP chunks
// unless a step says that they are raw.
package script
