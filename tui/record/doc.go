// Package record writes what the screen shows to files: a frame as a picture (SVG or PNG), frames over time as an
// asciinema cast, and the numbers behind the charts as CSV.
//
// A Grid is a frame taken apart into cells. Pictures are made of cells alone and hold no time, so that the same frame
// makes the same bytes. Lines, blocks, dots of braille and lanes' marks are drawn as geometry: characters join, and
// line up, whatever font shows the text.
package record
