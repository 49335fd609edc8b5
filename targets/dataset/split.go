package dataset

// Split names a part of a data set.
type Split int

// The parts of a data set.
const (
	Train Split = iota
	Test
)
