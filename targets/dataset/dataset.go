// Package dataset reads the data that targets are made of: LIBSVM text and
// tables separated by commas, semicolons, tabs or blanks, plain or gzipped,
// told apart by their content; images in the IDX format and CIFAR-10's; sets
// that are generated and need no file; and the catalogue of the data folder,
// which package fetch fills. Files are streamed, and nothing that is allocated
// is out of proportion to what was read.
package dataset

import "fmt"

// Format is the layout of a file of labelled rows.
type Format int

// The formats that Read tells apart.
const (
	LIBSVM Format = iota // label index:value index:value …
	CSV                  // comma-separated
	Semicolon
	Tab
	Blank // separated by any run of blanks and tabs
)

// String names a format for messages.
func (f Format) String() string {
	return [...]string{
		LIBSVM: "LIBSVM", CSV: "CSV", Semicolon: "semicolon-separated", Tab: "tab-separated", Blank: "blank-separated",
	}[f]
}

// Limits on what is read. A line is buffered whole, so it is bounded; the
// number of features bounds the length of θ.
const (
	MaxLine     = 64 << 20
	MaxFeatures = 10_000_000
	maxCount    = 1<<31 - 1
)

// A Table is N labelled rows of D numeric features with two classes. Exactly
// one of the dense and the sparse form is set.
type Table struct {
	Format Format
	// Rows is N and Cols is D, the label not counted.
	Rows, Cols int

	// X is the dense form, row-major N×D.
	X []float64

	// The sparse form, compressed rows: row i holds the entries
	// Start[i]..Start[i+1], feature Index[k] (from 0) with value Value[k].
	// A nil Value means that every entry is 1.
	Start []int32
	Index []int32
	Value []float64

	// Y holds the classes, 0 or 1.
	Y []int32
	// Classes are the labels as the file writes them, of class 0 and class 1.
	Classes [2]string
	// Names are the D features' names; nil where the file has no header.
	Names []string
	// Ignored counts entries that were left out because their feature lies
	// beyond those of the table that Options.Like names.
	Ignored int

	// Packed says that the file is gzipped.
	Packed bool

	label int // column of the label in a separated file, from 0
	named bool
	keys  labelSet
}

// Sparse reports which form is set.
func (t *Table) Sparse() bool { return t.Start != nil }

// Label is the label's column in a separated file, from 0.
func (t *Table) Label() int { return t.label }

// Named reports whether the first line of a separated file has the columns' names.
func (t *Table) Named() bool { return t.named }

// Options say how to read a file. The zero value reads a training set whose
// label is in the last column.
type Options struct {
	// Label is the label's column in a separated file: a name of the header
	// or a number from 1. Empty means the last column.
	Label string
	// Like is the training set that a test set belongs to. It fixes the
	// format, the classes, the label's column and the number of features.
	Like *Table
	// Reading counts what Load reads; nil if nobody asks.
	Reading *Reading
}

// Quote shows a piece of a file in a message, shortened.
func Quote(b []byte) string {
	const most = 40
	if len(b) > most {
		return fmt.Sprintf("%q…", b[:most])
	}
	return fmt.Sprintf("%q", b)
}
