// Package export writes what chains have drawn to files that appear all or not at all: draws in
// the form of CmdStan's CSV, and the newest θ as NumPy's arrays.
package export

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/engine/tool/numpy"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Format is that of a file of draws, and the end of its name: CSV is CmdStan's (CmdStan user's guide, "Stan CSV file
// format"), NPZ has an array for θ of the shape (draws, D) and one for each of CmdStan's columns, JSONL has an object a
// draw, from a column's name to its value.
type Format string

const (
	CSV   Format = "csv"
	NPZ   Format = "npz"
	JSONL Format = "jsonl"
)

// Formats are all formats.
var Formats = []string{string(CSV), string(NPZ), string(JSONL)}

// DrawsTo makes the folder of --draws, if need be. What it returns is a session.Runtime's Sink, which begins a chain's
// file. A Sink of NPZ keeps its draws until the end, and its error is one of more than 1 GB of them.
func DrawsTo(out *Output, dir string, format Format, seed uint64) (engine.SinkFor, error) {
	if err := out.folder(dir); err != nil {
		return nil, fmt.Errorf("--draws: %w", err)
	}
	return func(at engine.ChainID, p *targets.Problem, set state.Setting) (engine.Sink, error) {
		file, err := out.create(filepath.Join(dir, DrawsName(at, set.Sampler, format)))
		if err != nil {
			return nil, fmt.Errorf("--draws: %w", err)
		}
		f := &DrawsFile{
			pending: file, w: bufio.NewWriterSize(file, 1<<16), bits: 64, format: format,
			thin: uint64(set.Or(sampler.KeyThin, 1)), warmup: uint64(set.Or(sampler.KeyBurnIn, 0)),
		}
		if p.F32 != nil {
			f.bits = 32
		}
		out.last = append(out.last, func(s *session.Session) error {
			if f.dropped {
				return nil
			}
			run := ""
			if s != nil { // else nobody knows of what it is a part
				run = s.Recording("").Run
			}
			return f.fault(f.finish(run))
		})
		return f, f.header(at.Lane*at.Chains+at.Chain+1, p, set, seed)
	}, nil
}

// DrawsFile writes one chain's draws as they come. It is an engine.Sink.
type DrawsFile struct {
	pending *atomicfile.File
	w       *bufio.Writer
	row     []byte
	bits    int // of θ's arithmetic: a float32 has half the digits of a float64
	thin    uint64
	draws   uint64
	warmup  uint64 // steps before those that the draws are of
	dropped bool   // another file has its name
	gives   bool   // the method gives trajectories up
	format  Format
	keys    []string    // of JSONL, quoted; the columns' names
	columns [][]float64 // of NPZ: CmdStan's
	theta   []float64   // of NPZ, a draw after the other
	// Where the header leaves room for num_samples, num_warmup and the run's ID.
	samplesAt, warmupAt, runAt int64
}

var _ engine.Sink = (*DrawsFile)(nil)

// countRoom is the most digits that a count can have.
const countRoom = 20

// header writes the comments that readers look for, and the columns' names. Readers want num_samples and num_warmup in
// the header, which like the run's ID are not known before the end, so room is left for them. They count steps, thinned
// ones too, as CmdStan's do; some methods take a warm-up of their own, beside the burn-in. Readers know no optimiser
// that writes draws, so "method" is "sample" for all. There is no "Elapsed Time" at the end, so that a run writes the
// same file again.
func (f *DrawsFile) header(id int, p *targets.Problem, set state.Setting, seed uint64) error {
	m, _ := catalog.Find(set.Sampler)
	own := []string{"lp__", "accept_stat__", "stepsize__", "step__"}
	if f.gives = m.Metropolis; f.gives {
		own = append(own, "divergent__")
	}
	f.keys = list.Map(slices.Concat(own, Columns(p)), func(name string) string { return strconv.Quote(name) + ":" })
	if f.columns = make([][]float64, len(own)); f.format != CSV {
		return nil
	}
	var b strings.Builder
	b.WriteString("# stan_version_major = 2\n# stan_version_minor = 34\n# stan_version_patch = 0\n")
	fmt.Fprintf(&b, "# model = %s\n", identifier(p.Spec))
	b.WriteString("# method = sample (Default)\n#   sample\n#     num_samples = ")
	room := strings.Repeat(" ", countRoom) + "\n"
	f.samplesAt = int64(b.Len())
	b.WriteString(room + "#     num_warmup = ")
	f.warmupAt = int64(b.Len())
	b.WriteString(room)
	fmt.Fprintf(&b, "#     save_warmup = 0 (Default)\n#     thin = %d\n", f.thin)
	if m.Kind != sampler.Sampling {
		fmt.Fprintf(&b, "#     kind = %v\n", m.Kind)
	}
	fmt.Fprintf(&b, "#     algorithm = %s\n", set.Sampler)
	if set.Sampler == "hmc" { // rstan asks which one
		b.WriteString("#       hmc\n#         engine = static\n")
	}
	fmt.Fprintf(&b, "#     stepsize = %s\n", strconv.FormatFloat(set.Eps(), 'g', -1, 64))
	if set.Schedule != (sampler.Schedule{}) {
		fmt.Fprintf(&b, "#     schedule = %s\n#     weight = stepsize__ (averages weigh each draw by its step size)\n",
			set.Schedule.String(set.Eps()))
	}
	for _, q := range state.Params(p, set.Sampler) {
		fmt.Fprintf(&b, "#     %s_%s = %s\n", identifier(set.Sampler), identifier(q.Key), q.Format(set.Value(q.Key)))
	}
	b.WriteString("# run = ")
	f.runAt = int64(b.Len())
	fmt.Fprintf(&b, "%*s\n# id = %d\n# random\n#   seed = %d\n", engine.IDLength, "", id, seed)
	b.WriteString(strings.Join(slices.Concat(own, Columns(p)), ",") + "\n")
	_, err := f.w.WriteString(b.String())
	return f.fault(err)
}

// Draw implements engine.Sink. accept_stat__ is 1 where every move is accepted. divergent__ is 1 for a draw whose
// trajectory was given up; only methods that do so have the column. θ is written in the fewest digits that read back as
// the number that was drawn, a float32 where the target has those.
func (f *DrawsFile) Draw(d engine.Drawn, theta []float64) error {
	divergent := 0.0
	if d.Divergent {
		divergent = 1
	}
	own := [...]float64{d.LogPost, d.Accept, d.Eps, float64(d.Step), divergent}
	f.row = f.row[:0]
	if f.format == NPZ {
		if len(f.theta)+len(theta) > mostKept {
			return fmt.Errorf("--draws-format npz keeps all draws in memory, at most 1 GB of a chain; csv and jsonl do not")
		}
		for i := range f.columns {
			f.columns[i] = append(f.columns[i], own[i])
		}
		f.theta = append(f.theta, theta...)
	} else {
		for i, x := range own[:len(f.columns)] {
			f.add(i, x, 64)
		}
		for i, x := range theta {
			f.add(len(f.columns)+i, x, f.bits)
		}
		if f.format == JSONL {
			f.row = append(f.row, '}')
		}
		f.row = append(f.row, '\n')
	}
	if f.draws++; f.draws == 1 {
		f.warmup = d.Step - f.thin
	}
	_, err := f.w.Write(f.row)
	return f.fault(err)
}

// mostKept is how many numbers of θ an NPZ file has at most.
const mostKept = 1 << 27

// add adds a column's value to the row. JSON has no infinite numbers, and null stands for one.
func (f *DrawsFile) add(column int, x float64, bits int) {
	if column > 0 {
		f.row = append(f.row, ',')
	} else if f.format == JSONL {
		f.row = append(f.row, '{')
	}
	if f.format == JSONL {
		if f.row = append(f.row, f.keys[column]...); x-x != 0 {
			f.row = append(f.row, "null"...)
			return
		}
	}
	f.row = strconv.AppendFloat(f.row, x, 'g', -1, bits)
}

// Count is how many draws were written.
func (f *DrawsFile) Count() uint64 { return f.draws }

// Drop gives up the file, whose name is for another of the same output.
func (f *DrawsFile) Drop(out *Output) {
	f.dropped = true
	out.files = slices.DeleteFunc(out.files, func(g *atomicfile.File) bool { return g == f.pending })
	f.pending.Abort()
}

func (f *DrawsFile) finish(run string) error {
	if f.format == NPZ {
		return f.pack()
	}
	err := f.w.Flush()
	if f.format != CSV {
		return err
	}
	for at, text := range map[int64]string{f.samplesAt: strconv.FormatUint(f.draws*f.thin, 10),
		f.warmupAt: strconv.FormatUint(f.warmup, 10), f.runAt: run} {
		if err == nil {
			_, err = f.pending.WriteAt([]byte(text), at)
		}
	}
	return err
}

// pack writes the arrays of an NPZ file.
func (f *DrawsFile) pack() error {
	n := int(f.draws)
	shape := []int{n, 0}
	if n > 0 {
		shape[1] = len(f.theta) / n
	}
	var theta any = f.theta
	if f.bits == 32 {
		theta = list.Map(f.theta, func(x float64) float32 { return float32(x) })
	}
	files := []numpy.File{{Name: "theta.npy", Content: numpy.NPY(shape, theta)}}
	for i, column := range f.columns {
		name, _ := strconv.Unquote(strings.TrimSuffix(f.keys[i], ":"))
		files = append(files, numpy.File{Name: name + ".npy", Content: numpy.NPY([]int{n}, column)})
	}
	_, err := f.pending.Write(numpy.Pack(files...))
	return err
}

func (f *DrawsFile) fault(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--draws: %w", atomicfile.CannotWrite(f.pending.Path, err))
}

// Columns are ColumnNames of a target's coordinates.
func Columns(p *targets.Problem) []string {
	names := list.Map(list.Upto(p.Dim()), p.Name)
	return ColumnNames(names)
}

// ColumnNames are coordinates' names as CmdStan writes them: theta[1] is theta.1, and no name has a character that a
// reader could take for an index, a separator or a sampler's own column. Readers gather the columns of a base in an
// array, so that indices stay such where those of the base are all of one, in CmdStan's order, the first index fastest.
// Names are kept apart by a number.
func ColumnNames(names []string) []string {
	family := map[string][]int{} // the coordinates of a base
	for i := range names {
		base, _ := indexed(names[i])
		family[base] = append(family[base], i)
	}
	seen, out := map[string]bool{}, make([]string, len(names))
	for base, members := range family {
		indices := make([][]int, len(members))
		for k, i := range members {
			_, indices[k] = indexed(names[i])
		}
		if wholeArray(indices) {
			seen[base] = true
			for _, i := range members {
				out[i] = Column(names[i])
			}
		}
	}
	for i, name := range names {
		if out[i] != "" {
			continue
		}
		base := identifier(name)
		out[i] = base
		for k := 2; seen[out[i]]; k++ {
			out[i] = base + "_" + strconv.Itoa(k)
		}
		seen[out[i]] = true
	}
	return out
}

// Column is a name of its own as CmdStan writes it.
func Column(name string) string {
	base, index := indexed(name)
	for _, i := range index {
		base += "." + strconv.Itoa(i)
	}
	return base
}

// indexed divides theta[2,3] into theta and its indices, which begin at 1. A name of another form has none.
func indexed(name string) (base string, index []int) {
	base, in, ok := strings.Cut(name, "[")
	in, closed := strings.CutSuffix(in, "]")
	if !ok || !closed {
		return identifier(name), nil
	}
	for digits := range strings.SplitSeq(in, ",") {
		i, err := strconv.Atoi(digits)
		if err != nil || i < 1 || strconv.Itoa(i) != digits {
			return identifier(name), nil
		}
		index = append(index, i)
	}
	return identifier(base), index
}

// wholeArray reports whether indices are all of an array, the first fastest.
func wholeArray(indices [][]int) bool {
	size := indices[len(indices)-1]
	for at, index := range indices {
		want := make([]int, len(size))
		for k, n := range size {
			want[k] = at%n + 1
			at /= n
		}
		if at > 0 || !slices.Equal(index, want) {
			return false
		}
	}
	return len(size) > 0
}

// identifier makes a name of letters, digits and underscores that starts with
// a letter and does not end like a sampler's own column.
func identifier(name string) string {
	s := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
	if s = strings.TrimRight(s, "_"); s == "" || s[0] == '_' || s[0] >= '0' && s[0] <= '9' {
		s = "v" + s
	}
	return s
}

// DrawsName is the name of the file with a chain's draws: A-psgld.csv, or A-psgld.1.csv of the first of several.
func DrawsName(at engine.ChainID, method string, format Format) string {
	name := laneFolder(state.LaneLetter(at.Lane), method)
	if at.Chains > 1 {
		name += "." + strconv.Itoa(at.Chain+1)
	}
	return name + "." + string(format)
}

// An Output is files that get their names when all are on the disk, and the folders that
// are made for them. Whoever begins one defers Abort. The zero value is ready.
type Output struct {
	made  []string // folders, outermost first
	files []*atomicfile.File
	last  []func(*session.Session) error // what is written at the end
}

// Made gives over a folder that was made for the files.
func (o *Output) Made(dir string) { o.made = append(o.made, dir) }

// folder makes a folder with those that it is in, as far as they are not there.
func (o *Output) folder(dir string) error {
	at := len(o.made)
	for in := filepath.Clean(dir); ; in = filepath.Dir(in) {
		if _, err := os.Stat(in); err == nil || !errors.Is(err, os.ErrNotExist) || in == filepath.Dir(in) {
			break
		}
		o.made = append(o.made[:at], append([]string{in}, o.made[at:]...)...)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return atomicfile.CannotWrite(dir, err)
	}
	return nil
}

func (o *Output) create(path string) (*atomicfile.File, error) {
	f, err := atomicfile.Create(path)
	if err == nil {
		o.files = append(o.files, f)
	}
	return f, err
}

// Write is create for a file whose content is known.
func (o *Output) Write(path string, content []byte) error {
	f, err := o.create(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return atomicfile.CannotWrite(path, err)
	}
	return nil
}

// Commit writes what comes last and gives the files their names, in the order in which they were begun. Whoever is
// killed meanwhile leaves files of two runs: their IDs say so. What has no name after an error is for Abort.
func (o *Output) Commit(s *session.Session) error {
	for _, write := range o.last {
		if err := write(s); err != nil {
			return err
		}
	}
	for len(o.files) > 0 {
		f := o.files[0]
		o.files = o.files[1:]
		if err := f.Commit(); err != nil {
			return err
		}
	}
	o.made = nil
	return nil
}

// Abort removes the files that have no name yet, and the folders as far as they are empty. After Commit there are none.
func (o *Output) Abort() {
	for _, f := range o.files {
		f.Abort()
	}
	for i := len(o.made) - 1; i >= 0; i-- {
		_ = os.Remove(o.made[i]) // fails where another has put something
	}
	o.files, o.made = nil, nil
}
