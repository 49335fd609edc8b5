package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// draws are the files of --draws: a lane each, in the form of CmdStan's CSV
// (CmdStan user's guide, "Stan CSV file format").
type draws struct {
	dir   string
	made  []string // folders that were created for it, outermost first
	seed  uint64
	files []*drawsFile
}

// openDraws makes the folder, if need be, and checks that it can be written.
func openDraws(dir string, seed uint64) (*draws, error) {
	d := &draws{dir: dir, seed: seed}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || !errors.Is(err, os.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		d.made = append([]string{at}, d.made...)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		d.abort()
		return nil, fmt.Errorf("--draws: %w", cannotWrite(dir, err))
	}
	return d, nil
}

// sink is an engine.Runtime's Sink.
func (d *draws) sink(lane int, method string, p *targets.Problem, set engine.Lane) (engine.Sink, error) {
	path := filepath.Join(d.dir, drawsName(engine.LaneLetter(lane), method))
	file, err := newPending(path)
	if err != nil {
		return nil, fmt.Errorf("--draws: %w", err)
	}
	f := &drawsFile{pending: file, w: bufio.NewWriterSize(file, 1<<16), thin: uint64(set.Or(sampler.KeyThin, 1))}
	d.files = append(d.files, f)
	return f, f.header(lane, p, set, d.seed)
}

// commit finishes every file. After an error nothing unfinished is left.
func (d *draws) commit() error {
	for i, f := range d.files {
		err := f.finish()
		if err == nil {
			err = f.pending.commit()
		}
		if err != nil {
			d.files = d.files[i:]
			d.abort()
			return fmt.Errorf("--draws: %w", err)
		}
	}
	return nil
}

// abort removes the unfinished files, and the folders that were made for them.
func (d *draws) abort() {
	for _, f := range d.files {
		f.pending.abort()
	}
	for i := len(d.made) - 1; i >= 0; i-- {
		_ = os.Remove(d.made[i]) // fails where another has put something
	}
}

// drawsFile writes one lane's draws as they come. It is an engine.Sink.
type drawsFile struct {
	pending *pending
	w       *bufio.Writer
	row     []byte
	thin    uint64
	draws   uint64
	countAt int64 // where the header leaves room for num_samples
}

var _ engine.Sink = (*drawsFile)(nil)

// countRoom is the most digits that num_samples can have.
const countRoom = 20

// header writes the comments that readers look for, and the columns' names.
// Readers want num_samples in the header, which is not known before the end,
// so room is left for it. It counts steps, thinned ones too, as CmdStan's does.
// Readers know no optimiser that writes draws, so "method" is "sample" for all.
func (f *drawsFile) header(lane int, p *targets.Problem, set engine.Lane, seed uint64) error {
	var b strings.Builder
	b.WriteString("# stan_version_major = 2\n# stan_version_minor = 34\n# stan_version_patch = 0\n")
	fmt.Fprintf(&b, "# model = %s\n", identifier(p.Spec))
	b.WriteString("# method = sample (Default)\n#   sample\n#     num_samples = ")
	f.countAt = int64(b.Len())
	b.WriteString(strings.Repeat(" ", countRoom) + "\n")
	fmt.Fprintf(&b, "#     num_warmup = %.0f\n#     save_warmup = 0 (Default)\n#     thin = %d\n", set.Or(sampler.KeyBurnIn, 0), f.thin)
	if m, _ := sampler.Find(set.Sampler); m.Kind != sampler.Sampling {
		fmt.Fprintf(&b, "#     kind = %v\n", m.Kind)
	}
	fmt.Fprintf(&b, "#     algorithm = %s\n#     stepsize = %s\n", set.Sampler, strconv.FormatFloat(set.Eps(), 'g', -1, 64))
	for _, q := range engine.Params(p, set.Sampler) {
		fmt.Fprintf(&b, "#     %s_%s = %s\n", identifier(set.Sampler), identifier(q.Key), q.Format(set.Value(q.Key)))
	}
	fmt.Fprintf(&b, "# id = %d\n# random\n#   seed = %d\n", lane+1, seed)
	b.WriteString("lp__,accept_stat__,stepsize__,step__")
	for _, name := range columns(p) {
		b.WriteString("," + name)
	}
	b.WriteString("\n")
	_, err := f.w.WriteString(b.String())
	return f.fault(err)
}

// Draw implements engine.Sink. accept_stat__ is 1 where every move is accepted.
func (f *drawsFile) Draw(step uint64, eps, accept, logPost float64, theta []float64) error {
	b := strconv.AppendFloat(f.row[:0], logPost, 'g', -1, 64)
	b = append(b, ',')
	b = strconv.AppendFloat(b, accept, 'g', -1, 64)
	b = append(b, ',')
	b = strconv.AppendFloat(b, eps, 'g', -1, 64)
	b = append(b, ',')
	b = strconv.AppendUint(b, step, 10)
	for _, x := range theta {
		b = append(b, ',')
		b = strconv.AppendFloat(b, x, 'g', -1, 64)
	}
	f.row = append(b, '\n')
	f.draws++
	_, err := f.w.Write(f.row)
	return f.fault(err)
}

func (f *drawsFile) finish() error {
	err := f.w.Flush()
	if err == nil {
		_, err = f.pending.WriteAt([]byte(strconv.FormatUint(f.draws*f.thin, 10)), f.countAt)
	}
	if err != nil {
		return cannotWrite(f.pending.path, err)
	}
	return nil
}

func (f *drawsFile) fault(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--draws: %w", cannotWrite(f.pending.path, err))
}

// columns are the coordinates' names as CmdStan writes them: theta[1] is
// theta.1, and no name has a character that a reader could take for an index,
// a separator or a sampler's own column. Names are kept apart by a number.
func columns(p *targets.Problem) []string {
	seen := map[string]bool{}
	out := make([]string, p.Dim())
	for i := range out {
		name := "theta." + strconv.Itoa(i+1)
		if i < len(p.Names) {
			name = column(p.Names[i])
		}
		base := name
		for k := 2; seen[name]; k++ {
			name = base + "_" + strconv.Itoa(k)
		}
		seen[name] = true
		out[i] = name
	}
	return out
}

func column(name string) string {
	base, index, ok := strings.Cut(name, "[")
	if !ok || !strings.HasSuffix(index, "]") || strings.Trim(index, "0123456789,]") != "" {
		return identifier(name)
	}
	return identifier(base) + "." + strings.ReplaceAll(strings.TrimSuffix(index, "]"), ",", ".")
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

// drawsName is the name of the file with a lane's draws. A colon in a sampler's
// name is none in a file's.
func drawsName(lane, method string) string {
	return lane + "-" + strings.ReplaceAll(method, ":", "-") + ".csv"
}
