package f32

import (
	"unsafe"

	"github.com/psgld/psgld-tui/nets/tool/pages"
)

// A Workspace is the memory that products and convolutions pack their factors
// into. It grows for the largest convolutions alone. One worker uses it at a time.
type Workspace struct {
	left, right []float32
	edge        [6 * 16]float32
	// For a Winograd: images with their borders, tiles at the points, and a tile's lines.
	pads, tiles, scratch []float32
	results              []float32 // of a few images, which are pooled
}

// Sizes in numbers. What is packed of the left factor is to stay in the second-level cache.
const (
	leftPack  = 192 << 10
	rightPack = 128 << 10
)

// NewWorkspace allocates the memory for one worker, about 1.3 MB.
func NewWorkspace() *Workspace {
	both := aligned(leftPack + rightPack)
	return &Workspace{left: both[:leftPack:leftPack], right: both[leftPack:]}
}

// reserve grows the memory to what a convolution takes.
func (ws *Workspace) reserve(left, right int) {
	if len(ws.left) < left {
		ws.left = aligned(left)
	}
	if len(ws.right) < right {
		ws.right = aligned(right)
	}
}

// aligned allocates n numbers from the start of a cache line.
func aligned(n int) []float32 {
	const line = 64
	b := pages.Vector[float32](n+line/4, 0)
	skip := -uintptr(unsafe.Pointer(&b[0])) % line / 4
	return b[skip:][:n:n]
}

// reserveTiles grows the memory to what a Winograd takes.
func (ws *Workspace) reserveTiles(pads, tiles int) {
	if len(ws.pads) < pads {
		ws.pads = aligned(pads)
	}
	if len(ws.tiles) < tiles {
		ws.tiles = aligned(tiles)
	}
	if ws.scratch == nil {
		ws.scratch = aligned(points * groupChannels)
	}
}

// reserveResults grows the memory of all workers to what pooled convolutions take.
func (t *Team) reserveResults(n int) {
	for _, ws := range t.space {
		if len(ws.results) < n {
			ws.results = aligned(n)
		}
	}
}
