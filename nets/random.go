package nets

// Random is a source of random bits. A word depends on its place alone, so that
// workers can draw at the same time and in any order.
type Random interface {
	// Words sets dst[i] to the 32 random bits of place+i, for a place that is a
	// multiple of 4.
	Words(dst []uint32, place uint64)
}
