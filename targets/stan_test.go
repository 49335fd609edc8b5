package targets

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/child/childtest"
)

// fakes stand for what the bridge asks of BridgeStan and NumPy: log N(theta; y, s² I) with s > 0 stepped as its
// logarithm, and a simplex of which all but the last are stepped, which adds nothing.
var fakes = map[string]string{
	"numpy.py": "def array(x): return x\n",
	"bridgestan.py": `import json, math, os
__version__ = "9.0.1"
def compile_model(path):
    text = open(path).read()
    print("compiling")
    if "wrong" in text:
        raise RuntimeError("""Command make failed with code 2.
stdout:

stderr:
Semantic error in '/a folder/model.stan', line 4, column 3 to column 8:
   -------------------------------------------------
     4:  wrong
   -------------------------------------------------

Identifier 'wrong' not in scope.
make: *** [Makefile:70] Error 1
""")
    to = path[:-5] + "_model.so"
    open(to, "w").write(os.environ["FAKE_VERSION"] + text)
    open(os.environ["FAKE_LOG"], "a").write("c")
    return to
class StanModel:
    def __init__(self, lib, data):
        text, data = open(lib).read(), json.loads(data)
        if "y" not in data:
            raise RuntimeError("C++ exception in construct: Exception: variable does not exist; processing stage="
                "data initialization; variable name=y; base type=double (in '/a/model.stan', line 2, column 3 to "
                "column 8)\n")
        assert data["N"] == 2 and isinstance(data["N"], int) and data["X"] == [[1, 2.5], [3, 4], [5, 6]], data
        self.version, self.y, self.simplex = text[:5], data["y"], "simplex" in text
    def model_version(self): return tuple(map(int, self.version.split(".")))
    def param_unc_num(self): return 5 if self.simplex else 3
    def param_names(self): return ["s", "theta.1", "theta.2"] + ["p.1", "p.2", "p.3"] * self.simplex
    def param_unc_names(self): return ["s", "theta.1", "theta.2"] + ["p.1", "p.2"] * self.simplex
    def param_constrain(self, x):
        return [math.exp(x[0]), *x[1:3]] + [0.25, 0.25, 0.5] * self.simplex
    def param_unconstrain(self, x): return [math.log(x[0]), *x[1:]]
    def log_density_gradient(self, x):
        if abs(x[0]) > 9: raise RuntimeError("rejected")
        v, e = math.exp(-2*x[0]), [a - b for a, b in zip(x[1:], self.y)]
        q = v*(e[0]**2 + e[1]**2)
        return -q/2 - 2*x[0], [q - 2, -v*e[0], -v*e[1]] + [0.0, 0.0]*self.simplex
`,
}

// Where R has no rstan, or is not there, Python's bridgestan evaluates a model by the same protocol, and the person is
// told that it is untried. Where neither is there, one line says what to install.
func TestStanByBridgeStan(t *testing.T) {
	python, err := exec.Command(childtest.Interpreter(t, "json"), "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir, modules, bin := t.TempDir(), t.TempDir(), t.TempDir()
	write := func(dir, name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data := write(dir, "data.json", `{"N": 2, "y": [1, -1], "X": [[1, 2.5], [3, 4], [5, 6]], "note": "left out"}`)
	log := filepath.Join(dir, "log")
	t.Setenv("FAKE_LOG", log)
	t.Setenv("FAKE_VERSION", "9.0.1")
	t.Setenv("PYTHONPATH", modules)
	t.Setenv("PATH", bin)
	o := Options{Commands: &child.Commands{Any: true, Limit: time.Minute, Kept: filepath.Join(dir, "kept")}}
	open := func(text, rest string) (*Problem, error) {
		return Open(StanPrefix+write(dir, "a.stan", text)+rest, o)
	}
	refused := func(text, rest, want string) {
		t.Helper()
		if _, err := open(text, rest); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	const plain, simplex = "parameters { s, theta }", "parameters { s, theta, simplex p }"
	of := ";data=" + data
	refused(plain, of, errNoWay.Error())
	write(bin, "python3", "#!/bin/sh\nexec '"+strings.TrimSpace(string(python))+"' -S \"$@\"\n") // and no real module
	refused(plain, of, errNoWay.Error())
	for name, text := range fakes {
		write(modules, name, text)
	}
	refused("wrong", of, "a.stan: line 4: Identifier 'wrong' not in scope.")
	if _, err := Open(StanPrefix+"none.stan", o); err == nil || err.Error() != "cannot read none.stan: no such file" {
		t.Errorf("of a model that is not there: %v", err)
	}
	refused(plain, "", "a.stan: line 2: variable does not exist; variable name=y; base type=double")
	for i, c := range []struct {
		text, version, rscript, names, compiled string
	}{
		{plain, "9.0.1", "", "s theta[1] theta[2]", "c"}, // for what was refused
		{simplex, "8.0.0", "#!/bin/sh\necho 'stan: absent' >&2; exit 1\n", "s theta[1] theta[2] p[1] p[2]", "cc"},
		{simplex, "9.0.1", "", "s theta[1] theta[2] p[1] p[2]", "ccc"}, // it was compiled by another version
		{simplex, "9.0.1", "", "s theta[1] theta[2] p[1] p[2]", "ccc"},
	} {
		t.Setenv("FAKE_VERSION", c.version)
		if c.rscript != "" {
			write(bin, "Rscript", c.rscript)
		}
		p, err := open(c.text, of)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Names, " "); got != c.names || !strings.HasPrefix(p.Taken, ways[1].note) {
			t.Errorf("%d: the names are %q, and it says %q", i, got, p.Taken)
		}
		if told, _ := os.ReadFile(log); string(told) != c.compiled {
			t.Errorf("%d: compiled %q, want %q", i, told, c.compiled)
		}
		m := p.F64.(LogModel)
		at, g, x := []float64{0, 3, -1, 0.3, 0.4}[:p.Dim()], make([]float64, p.Dim()), make([]float64, p.Dim())
		// y is 1, -1: the density is -2²/2, and the gradient 2² - 2 in log s, -2 in the first.
		if v := m.GradLogLik(g, at, nil); v != -2 || g[0] != 2 || g[1] != -2 || g[2] != 0 {
			t.Errorf("%d: the log density is %v, its gradient %v", i, v, g)
		}
		if m.Show(x, at); x[0] != 1 || x[1] != 3 {
			t.Errorf("%d: shown is %v", i, x)
		}
		if err := p.Scale.Step(g, x); (err == nil) != (c.text == plain) || err == nil && g[1] != 3 {
			t.Errorf("%d: stepped back to %v, %v", i, g, err)
		}
		at[0] = 10
		if v := m.GradLogLik(g, at, nil); !math.IsInf(v, -1) || m.Err() != nil {
			t.Errorf("%d: where the model rejects the log density is %v, %v", i, v, m.Err())
		}
		m.Close()
	}
}
