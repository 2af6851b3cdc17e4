// Package chart draws what a page's table says: it turns view structs into options of
// the chart library. An option is data, never code: it is built with go-echarts,
// checked with its Validate, taken as the value that its JSON method gives, and put
// into the page as escaped JSON that charts.js reads.
//
// For example a heat map of a matrix takes the same shade steps as the cells of the
// table beside it, and its cells carry the same texts.
//
// Colours are names of the style sheet ("$heat-3"); charts.js puts in what they are in
// the theme of the moment. A place without a value is never a zero: it is left out, or
// stands in the hatch colour with its word.
//
// Note: Render and its relatives write whole pages with inline script, and do not
// escape; nothing here calls them, and a test looks for it.
package chart
