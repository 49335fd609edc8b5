package logistic

import "github.com/psgld/psgld-tui/targets/dataset"

// A Source is the file that a regression was read from, and what was made of it.
type Source struct {
	Path    string
	Format  dataset.Format
	Packed  bool  // by gzip
	Header  bool  // its first line has names
	Columns int   // with the label's and those skipped
	Label   int   // the label's column, from 0
	Skipped []int // columns that are neither label nor feature, from 0 and in order
	Classes [2]string
	// Standardized says that the features were centred and scaled, and Constant that some are
	// constant, which are centred only. Intercept says that a constant 1 was put before them.
	Standardized, Constant, Intercept bool
}

// Source is the file of a logistic regression with separated fields; nil where there is none.
func (l *Regression) Source() *Source { return l.source }
