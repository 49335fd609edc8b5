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
	Name:    stanFamilyName,
	Usage:   "stan:MODEL.stan[;data=FILE.json]",
	Doc:     "a Stan model with its data, by R's rstan, which compiles it in about a minute the first time",
	reaches: always,
	open:    openStan,
}

// bridge is the program in R that evaluates a model. The shell has what it writes by the way on its standard error.
//
//go:embed stan.R
var bridge string

const (
	// bootstrap reads the bridge itself from standard input, so that there is no file to leave behind.
	bootstrap = `exec Rscript --vanilla -e 'from<-file("stdin","rb");` +
		`eval(parse(text=readChar(from,readBin(from,"double",1,` +
		`endian="little"),useBytes=TRUE)))' 3>&1 1>&2`
	mostStan = 1 << 20 // bytes of a model
	stale    = "stan: stale"
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
		return nil, err
	}
	var arrays []dataset.Array
	if data != "" {
		if arrays, err = dataset.LoadArrays(data); err != nil {
			return nil, err
		}
	}
	if _, err := exec.LookPath("Rscript"); err != nil {
		return nil, errors.New("target stan: there is no Rscript; Debian has it with rstan by apt-get install r-cran-rstan")
	}
	kept, err := compiled(o.Commands.Kept, text)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	p, err := bridged(name, kept, text, arrays, o)
	if err != nil && strings.HasPrefix(said(err), stale) && os.Remove(kept) == nil {
		p, err = bridged(name, kept, text, arrays, o) // by another R than the one that is here
	}
	if err != nil {
		if text, ok := strings.CutPrefix(said(err), "stan: "); ok {
			err = fmt.Errorf("%s: %s", printable.Line(name), text)
		}
		return nil, err
	}
	p.Spec = StanPrefix + path
	if data != "" {
		p.Spec += ";data=" + data
	}
	p.Title = fmt.Sprintf("%s, D = %d", printable.Line(name), p.Dim())
	p.Taken = "parameters: " + list.Some(p.Names, 12)
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

// compiled is where a model of a text is kept when it is compiled.
func compiled(dir string, text []byte) (path string, err error) {
	if dir == "" {
		return "", errors.New("target stan: there is no cache folder for the compiled model, set XDG_CACHE_HOME")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return filepath.Join(dir, fmt.Sprintf("%x.rds", sha256.Sum256(text))), nil
}

// bridged opens a model with its data. Where it is not kept it is compiled first.
func bridged(name, kept string, text []byte, arrays []dataset.Array, o Options) (*Problem, error) {
	c := child.Command{Line: bootstrap, Name: StanPrefix + printable.Line(name)}
	if _, err := os.Stat(kept); err != nil {
		c.First = cmp.Or(o.Commands.Compile, child.DefaultCompile)
		o.Reading.Say("compiling " + printable.Line(name) + " by rstan, once for all, which takes about a minute")
		defer o.Reading.Say("")
	}
	number := func(x float64) { c.Feed = binary.LittleEndian.AppendUint64(c.Feed, math.Float64bits(x)) }
	var columns []string
	for _, a := range arrays {
		dims := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(a.Dims)), ","), "[]")
		columns = append(columns, "`"+a.Name+"`=numbers("+dims+")")
	}
	program := fmt.Sprintf("kept <- %s\nsize <- %d\narrays <- quote(list(%s))\n%s", quoteR(kept), len(text),
		strings.Join(columns, ",\n"), bridge)
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

// quoteR writes a text as R reads it.
func quoteR(text string) string {
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
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
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
