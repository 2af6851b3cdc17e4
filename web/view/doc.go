// Package view turns evidence types into what pages show: pure functions from rows to
// one struct a page. Values are formatted, ordered, cut and linked here, so that a
// template only branches; nothing is computed from measurements, only scaled to a
// reading unit.
//
// The journey of a value:
//
//  1. A handler reads rows from the archive and calls a builder ([BuildOverview],
//     [BuildCampaign], [BuildRun], ...).
//  2. The builder groups figures into columns of one metric and statistic. A column
//     has one [Scale]: one unit, the same decimals all the way down.
//  3. Every figure becomes a [Figure] with the address of its place ([PlaceURL]); an
//     absent one becomes a word ("not recorded"), never a blank and never a zero.
//  4. A source's own string becomes a [Text]: cut to a bound, control characters shown.
//  5. Page, CSV, JSON and Markdown are written from that one struct (the Table methods).
//
// For example 0.8477 seconds beside 0.8843 becomes "847.7" under the head "TTFT, ms".
package view
