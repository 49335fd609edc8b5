package targets

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed" // for the bridge
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/landscape"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

const stanFamilyName = "stan"

// StanPrefix begins the --target value of a Stan model.
const StanPrefix = stanFamilyName + ":"

var stanFamily = Family{
	Name:  stanFamilyName,
	Usage: "stan:MODEL.stan[;data=FILE.json]",
	Doc: "a Stan model with its data, by R's rstan or Python's bridgestan, which compile it in about a minute the " +
		"first time",
	reaches: always,
	open:    openStan,
}

// A way is a package of an interpreter that evaluates Stan's models. It starts by reading the bridge from standard
// input, so that there is no file to leave behind. The shell has what the bridge writes by the way on standard error.
type way struct {
	of, interpreter string
	start, bridge   string // a command, and the program that evaluates a model
	ending, note    string // of compiled models, and what is told of the way
}

// ways are tried in their order, until one is here.
var ways = []way{{
	of: "rstan", interpreter: "Rscript",
	start: `exec Rscript --vanilla -e 'from<-file("stdin","rb");` +
		`eval(parse(text=readChar(from,readBin(from,"double",1,endian="little"),useBytes=TRUE)))' 3>&1 1>&2`,
	bridge: bridgeR, ending: ".rds",
}, {
	of: "bridgestan", interpreter: "python3", // without what lies where the program was started
	start: `exec python3 -c 'import sys; sys.path[:] = filter(None, sys.path); import struct; ` +
		`source = sys.stdin.buffer; exec(source.read(int(*struct.unpack("<d", source.read(8)))))' 3>&1 1>&2`,
	bridge: bridgePython, ending: ".so",
	note: "by bridgestan, with which nobody has tried this program; ",
}}

var (
	//go:embed stan.R
	bridgeR string
	//go:embed stan.py
	bridgePython string
)

// errNoWay is where no way is here.
var errNoWay = errors.New("target stan: there is no Rscript with rstan, nor python3 with bridgestan; Debian has " +
	"rstan by apt-get install r-cran-rstan g++ make")

const (
	mostStan = 1 << 20 // bytes of a model
	stale    = "stan: stale"
	absent   = "stan: absent"
)

func openStan(args string, o Options) (*Problem, error) {
	path, settings, _ := strings.Cut(args, ";")
	path = strings.TrimSpace(path)
	if path == "" {
		return nil, misuse("stan: must be stan:MODEL.stan;data=FILE.json, got %q", args)
	}
	var data string
	set := setting{"data", func(value string) error { data = value; return nil }}
	if err := parseSettings(stanFamilyName, settings, []setting{set}); err != nil {
		return nil, err
	}
	command := StanPrefix + strings.TrimSpace(args)
	if !o.Commands.Allows(command) {
		return nil, &Forbidden{command}
	}
	if runtime.GOOS == "windows" {
		return nil, misuse("stan: needs a shell of Unix, which Windows has not")
	}
	text, err := regular.Read(path, mostStan)
	if err != nil {
		return nil, dataset.PathError(path, err)
	}
	var arrays []dataset.Array
	if data != "" {
		if arrays, err = dataset.LoadArrays(data); err != nil {
			return nil, err
		}
	}
	var p *Problem
	name := printable.Line(filepath.Base(path))
	err = errNoWay
	by := slices.IndexFunc(ways, func(w way) bool {
		if _, missing := exec.LookPath(w.interpreter); missing != nil {
			return false
		}
		if p, err = w.opened(name, text, arrays, o); said(err) == absent {
			err = errNoWay
		}
		return err != errNoWay
	})
	if err != nil {
		return nil, err
	}
	p.Spec = StanPrefix + path
	if data != "" {
		p.Spec += ";data=" + data
	}
	p.Title = fmt.Sprintf("%s, D = %d", name, p.Dim())
	p.Taken = ways[by].note + "parameters: " + list.Some(p.Names, 12)
	p.NoTruth = "the posterior's mean and covariance are not known; --truth hmc estimates them"
	m := p.F64.(LogModel)
	p.mapped(landscape.Explore(distant{m}, nil))
	m.rest()
	return p, m.Err()
}

// said is the newest line that the child of an error wrote to its standard error.
func said(err error) string {
	if of, ok := errors.AsType[*child.Error](err); ok {
		return of.Said
	}
	return ""
}

// opened opens a model with its data. Where it is not kept, by its text, it is compiled first.
func (w *way) opened(name string, text []byte, arrays []dataset.Array, o Options) (*Problem, error) {
	dir := o.Commands.Kept
	if dir == "" {
		return nil, errors.New("target stan: there is no cache folder for the compiled model, set XDG_CACHE_HOME")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	kept := filepath.Join(dir, fmt.Sprintf("%x%s", sha256.Sum256(text), w.ending))
	p, err := w.bridged(name, kept, text, arrays, o)
	if strings.HasPrefix(said(err), stale) && os.Remove(kept) == nil {
		p, err = w.bridged(name, kept, text, arrays, o) // by another version than the one that is here
	}
	if text, ok := strings.CutPrefix(said(err), "stan: "); ok && said(err) != absent {
		err = fmt.Errorf("%s: %s", name, text)
	}
	return p, err
}

func (w *way) bridged(name, kept string, text []byte, arrays []dataset.Array, o Options) (*Problem, error) {
	c := child.Command{Line: w.start, Name: StanPrefix + name}
	if _, err := os.Stat(kept); err != nil {
		c.First = cmp.Or(o.Commands.Compile, child.DefaultCompile)
		o.Reading.Say("compiling " + name + " by " + w.of + ", once for all, which takes about a minute")
		defer o.Reading.Say("")
	}
	number := func(x float64) { c.Feed = binary.LittleEndian.AppendUint64(c.Feed, math.Float64bits(x)) }
	columns := list.Map(arrays, func(a dataset.Array) string {
		dims := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(a.Dims)), ","), "[]")
		return strings.TrimSpace(a.Name + " " + dims)
	})
	program := fmt.Sprintf("kept = %s\nsize = %d\narrays = %s\n%s", quoted(kept), len(text),
		quoted(strings.Join(columns, ";")), w.bridge)
	number(float64(len(program)))
	c.Feed = append(append(c.Feed, program...), text...)
	for _, a := range arrays {
		for _, x := range a.X {
			number(x)
		}
	}
	p, _, err := openModel(c, o)
	return p, err
}

// quoted writes a text as R and Python read it.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// distant is a model as package landscape explores it, which takes second derivatives by differences of gradients.
type distant struct{ LogModel }

// Len is what a look takes, in instructions: about 0.1 ms.
func (d distant) Len() int { return 100_000 }

// Value is the log density.
func (d distant) Value(theta []float64) float64 { return d.LogLik(theta) }

// Grad writes the gradient to dst, and returns the log density.
func (d distant) Grad(dst, theta []float64) float64 { return d.GradLogLik(dst, theta, nil) }

// HessianVec writes the Hessian's product with v: the central difference over h = 1e-4/max|v|, with an error of h².
func (d distant) HessianVec(dst, theta, v []float64) {
	most := list.Max(v, math.Abs)
	clear(dst)
	if most == 0 {
		return
	}
	at, g := make([]float64, len(v)), make([]float64, len(v))
	for _, h := range []float64{1e-4 / most, -1e-4 / most} {
		for i, x := range theta {
			at[i] = x + float64(h*v[i])
		}
		d.Model.Grad(g, at, nil)
		for i, x := range g {
			dst[i] += x / (2 * h)
		}
	}
}

// GradHessian writes the gradient and the diagonal of the Hessian.
func (d distant) GradHessian(dst, hess, theta []float64) {
	unit, column := make([]float64, len(theta)), make([]float64, len(theta))
	for i := range theta {
		unit[i] = 1
		d.HessianVec(column, theta, unit)
		hess[i], unit[i] = column[i], 0
	}
	d.Model.Grad(dst, theta, nil)
}

// within is the context in which a target is opened.
func (o *Options) within() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}
