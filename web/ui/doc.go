// Package ui holds the small pieces that pages are put together from: glyphs,
// badges, source links, texts of sources, download links. Each takes a value of
// package view that is already formatted; a piece only branches.
//
// Note: nothing here writes style or script into the markup, and nothing of an
// artifact is written unescaped; the content security policy forbids the one and a
// test looks for the other.
package ui
