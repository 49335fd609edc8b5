package metrics

// A Recorder keeps something of the draws of one chain, which come in blocks.
type Recorder interface {
	// Add takes the draws of b in order and does not keep b. What it keeps does not depend on how draws are cut into
	// blocks.
	Add(b *Block)
	// NewWindow begins a window of statistics.
	NewWindow()
	// Cut drops the draws after a step, which a rewind has undone. A window is begun before it.
	Cut(step uint64)
	// Clone returns a copy, which later draws do not change.
	Clone() Recorder
	// Set makes it what a clone of it is.
	Set(clone Recorder)
	// Bytes is about the memory of its own.
	Bytes() int
	// BytesBeyond is the memory that clones may share, as far as one of them, or nil, does not have it.
	BytesBeyond(clone Recorder) int
}

var (
	_ Recorder = (*Chain)(nil)
	_ Recorder = (*Keeper)(nil)
)
