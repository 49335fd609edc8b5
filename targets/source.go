package targets

import "github.com/psgld/psgld-tui/targets/tool/printable"

// A Source gives draws that another program makes: a lane has them in the place of a method's steps. All chains have
// Rows of them, which never become fewer. Any goroutine may call it.
type Source interface {
	// Chains is how many chains there are.
	Chains() int
	// Rows is how many draws each chain has by now.
	Rows() uint64
	// Ended reports whether the program is done as far as anyone can tell, so that no more rows are waited for.
	Ended() bool
	// Failed is what has ended the reading before the program's end, nil for nothing. The error is one line.
	Failed() error
	// Row writes draw t of a chain, from 0 and below Rows, to dst, and what is told of it to told. The error is one
	// line.
	Row(dst []float64, told *Told, chain int, t uint64) error
	// Tells reports which of a draw's Told every chain has.
	Tells() [NumTold]bool
	// Notify has f called whenever there are more rows, or the end has come.
	Notify(f func())
	// Skipped is how many rows were left out.
	Skipped() int
	// Files describes what was read so far.
	Files() []SourceFile
}

// Told is what another program tells of a draw beside its coordinates, NaN where it does not.
type Told [NumTold]float64

// The places in Told: the log density up to a constant, U + K at the start of the draw's trajectory, and 1 of one that
// was given up, else 0.
const (
	ToldDensity = iota
	ToldEnergy
	ToldDivergent
	NumTold
)

// A SourceFile is a file of draws as far as it was read.
type SourceFile struct {
	Path   string `json:"path"`
	Rows   uint64 `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256,omitempty"` // of those bytes; empty where they cannot be read again
}

// Columns is what draws are of whose density nobody told: so many parameters. Its gradient is 0.
type Columns int

var _ Target[float64] = Columns(0)

// Dim is D.
func (c Columns) Dim() int { return int(c) }

// N is 1, as of each density without data.
func (c Columns) N() int { return 1 }

// Grad implements Target.
func (c Columns) Grad(dst, _ []float64, _ []int32) { clear(dst) }

// OfColumns is the problem of draws of the named parameters. spec says where they come from.
func OfColumns(spec string, names []string) *Problem {
	return &Problem{
		Spec: spec, Title: printable.Line(spec), Names: names, F64: Columns(len(names)),
		Init: func(dst, _ []float64) { clear(dst) },
	}
}

// Draws reports whether p is known by draws alone, without a density.
func (p *Problem) Draws() bool { _, ok := p.F64.(Columns); return ok }
