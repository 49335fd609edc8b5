// Package dataset reads the data that targets are made of: LIBSVM text and tables separated by commas, semicolons, tabs
// or blanks, plain or gzipped, told apart by their content; images in the IDX format and CIFAR-10's; sets that are
// generated and need no file; and the catalogue of the data folder, which package fetch fills. Files are streamed, and
// nothing that is allocated is out of proportion to what was read.
package dataset

import (
	"fmt"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

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

// Limits on what is read. A line is buffered whole, so it is bounded; the number of features bounds the length of θ.
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

	// The sparse form, compressed rows: row i holds the entries Start[i]..Start[i+1], feature Index[k] (from 0) with
	// value Value[k]. A nil Value means that every entry is 1.
	Start []int32
	Index []int32
	Value []float64

	// Y holds the classes, 0 or 1; with Options.Numeric it is nil, and Numbers has the labels.
	Y       []int32
	Numbers []float64
	// Classes are the labels as the file writes them, of class 0 and class 1.
	Classes [2]string
	// Names are the D features' names; nil where the file has no header.
	Names []string
	// Ignored counts entries that were left out because their feature lies
	// beyond those of the table that Options.Like names.
	Ignored int

	// Packed says that the file is gzipped.
	Packed bool

	// Of a separated file: the names in its header (nil for none), and by columns from 0 where the
	// label is and what is left out.
	header   []string
	numbered bool // some names are numbers
	label    int
	out      []bool
	index    bool // the first is left out since it only numbers the rows
	keys     labelSet
}

// Sparse reports which form is set.
func (t *Table) Sparse() bool { return t.Start != nil }

// Columns is the number of columns in a separated file.
func (t *Table) Columns() int { return len(t.out) }

// Label is the label's column in a separated file, from 0.
func (t *Table) Label() int { return t.label }

// Skipped are the columns of a separated file that are neither label nor feature, from 0.
func (t *Table) Skipped() []int {
	return list.Filter(list.Upto(len(t.out)), func(j int) bool { return t.out[j] })
}

// Named reports whether the first line of a separated file has the columns' names.
func (t *Table) Named() bool { return t.header != nil }

// Options say how to read a file. The zero value reads a training set, and tells by its names and values which columns
// are label and features. A column is a name of the header, a number from 1, or one from -1 for the last.
type Options struct {
	// Label is the label's column in a separated file. Empty means the one named label, y, target
	// or class, or else the last.
	Label string
	// Header says whether the first line of a separated file is a header: on, off, or empty for what its fields tell.
	Header string
	// Skip are columns of a separated file to leave out, with commas. A first column that numbers
	// the rows is left out too, unless it is KeepAll.
	Skip string
	// Numeric says that labels are numbers and no classes, in a separated file.
	Numeric bool
	// Like is the training set that a test set belongs to. It fixes the
	// format, the classes, the columns and the number of features.
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

// Split names a part of a data set.
type Split int

// The parts of a data set.
const (
	Train Split = iota
	Test
)
