package export

import (
	"bufio"
	"fmt"
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
	"github.com/psgld/psgld-tui/targets"
)

// DrawsTo makes the folder of --draws, if need be. What it returns is a session.Runtime's Sink, which begins a chain's
// file in the form of CmdStan's CSV (CmdStan user's guide, "Stan CSV file format").
func DrawsTo(out *Output, dir string, seed uint64) (engine.SinkFor, error) {
	if err := out.folder(dir); err != nil {
		return nil, fmt.Errorf("--draws: %w", err)
	}
	return func(at engine.ChainID, p *targets.Problem, set state.Setting) (engine.Sink, error) {
		file, err := out.create(filepath.Join(dir, DrawsName(at, set.Sampler)))
		if err != nil {
			return nil, fmt.Errorf("--draws: %w", err)
		}
		f := &DrawsFile{
			pending: file, w: bufio.NewWriterSize(file, 1<<16), bits: 64,
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
	m, _ := catalog.Find(set.Sampler)
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
	b.WriteString("lp__,accept_stat__,stepsize__,step__")
	if f.gives = m.Metropolis; f.gives {
		b.WriteString(",divergent__")
	}
	for _, name := range Columns(p) {
		b.WriteString("," + name)
	}
	b.WriteString("\n")
	_, err := f.w.WriteString(b.String())
	return f.fault(err)
}

// Draw implements engine.Sink. accept_stat__ is 1 where every move is accepted. divergent__ is 1 for a draw whose
// trajectory was given up; only methods that do so have the column. θ is written in the fewest digits that read back as
// the number that was drawn, a float32 where the target has those.
func (f *DrawsFile) Draw(d engine.Drawn, theta []float64) error {
	b := f.row[:0]
	for _, x := range [...]float64{d.LogPost, d.Accept, d.Eps} {
		b = append(strconv.AppendFloat(b, x, 'g', -1, 64), ',')
	}
	b = strconv.AppendUint(b, d.Step, 10)
	switch {
	case f.gives && d.Divergent:
		b = append(b, ",1"...)
	case f.gives:
		b = append(b, ",0"...)
	}
	for _, x := range theta {
		b = append(b, ',')
		b = strconv.AppendFloat(b, x, 'g', -1, f.bits)
	}
	f.row = append(b, '\n')
	if f.draws++; f.draws == 1 {
		f.warmup = d.Step - f.thin
	}
	_, err := f.w.Write(f.row)
	return f.fault(err)
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
	err := f.w.Flush()
	for at, text := range map[int64]string{f.samplesAt: strconv.FormatUint(f.draws*f.thin, 10),
		f.warmupAt: strconv.FormatUint(f.warmup, 10), f.runAt: run} {
		if err == nil {
			_, err = f.pending.WriteAt([]byte(text), at)
		}
	}
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
	names := make([]string, p.Dim())
	for i := range names {
		names[i] = p.Name(i)
	}
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
func DrawsName(at engine.ChainID, method string) string {
	name := laneFolder(state.LaneLetter(at.Lane), method)
	if at.Chains > 1 {
		name += "." + strconv.Itoa(at.Chain+1)
	}
	return name + ".csv"
}
