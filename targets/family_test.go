package targets

import (
	"errors"
	"strings"
	"testing"
)

func TestOpenErrors(t *testing.T) {
	var names []string
	for _, f := range Families() {
		names = append(names, f.Name)
	}
	for spec, want := range map[string]string{
		"gausian": `target "gausian" is unknown (did you mean "gaussian"?); want one of FAMILIES`,
		"regress;nois=1": `target regress: unknown setting "nois" (did you mean "noise"?); ` +
			`want one of noise, data, points`,
		"mpl:400-400": `target "mpl" is unknown (did you mean "mlp"?); want one of FAMILIES`,
		"":            `target "" is unknown; want one of FAMILIES`,
		"gaussian:nois=1": `target gaussian: unknown setting "nois" (did you mean "noise"?); ` +
			`want one of a, cov, noise, d, cond`,
		"gaussian:cond=100":        "target gaussian: cond is the ratio of variances in d dimensions; add d=DIMENSIONS",
		"gaussian:a":               "target gaussian: setting a has no value, want a=VALUE",
		"gaussian:a=":              "target gaussian: setting a has no value, want a=VALUE",
		"gaussian:a=1;a=2":         "target gaussian: setting a is given twice",
		"gaussian:a=0":             `target gaussian: a must be a number from 1e-12 to 1e+12, got "0"`,
		"gaussian:a=x":             `target gaussian: a must be a number from 1e-12 to 1e+12, got "x"`,
		"gaussian:a=NaN":           `target gaussian: a must be a number from 1e-12 to 1e+12, got "NaN"`,
		"gaussian:a=1;cov=1,0,0,1": "target gaussian: a and cov exclude each other",
		"gaussian:cov=1,0,1":       `target gaussian: cov must be four numbers c11,c12,c21,c22, got "1,0,1"`,
		"gaussian:cov=1,0,x,1":     `target gaussian: cov must be four numbers c11,c12,c21,c22, got "1,0,x,1"`,
		"gaussian:cov=1,0,Inf,1":   `target gaussian: cov must be four numbers c11,c12,c21,c22, got "1,0,Inf,1"`,
		"gaussian:cov=1,0,0.5,1":   `target gaussian: cov must be symmetric (c12 = c21), got "1,0,0.5,1"`,
		"gaussian:cov=1,2,2,1":     "target gaussian: covariance (1, 2; 2, 1) is not positive definite",
		"gaussian:cov=-1,0,0,1":    "target gaussian: covariance (-1, 0; 0, 1) is not positive definite",
		"gaussian:noise=-1":        `target gaussian: noise must be a number from 0 to 1e+12, got "-1"`,
		"banana:s1=0":              `target banana: s1 must be a number from 0.001 to 1000, got "0"`,
		"mixture:w=1":              `target mixture: w must be a number from 0.001 to 0.999, got "1"`,
		"funnel:s=4":               `target funnel: s must be a number from 0.1 to 3, got "4"`,
		"blr:synthetic;n=3":        `target blr:synthetic takes no settings, got "n=3"`,
		"blr:x.csv;lable=3": `target blr:x.csv: unknown setting "lable" (did you mean "label"?); ` +
			`want one of label, header, skip, test`,
		"blr:no/such.csv": "cannot read no/such.csv: no such file",
		"australian": `target "australian" is unknown (did you mean "blr:australian"?); ` +
			`want one of FAMILIES`,
		"Synthetic": `target "Synthetic" is unknown (did you mean "blr:synthetic"?); ` +
			`want one of FAMILIES`,
		"blr:wine":      "cannot read wine: no such file; want a file or one of synthetic, australian, a9a",
		"blr:austrlian": "cannot read austrlian: no such file (did you mean blr:australian?)",
		"blr:a9a":       "cannot read nowhere/a9a/a9a: no such file; psgld-tui data fetch a9a fetches it",
		"blr:australian": "cannot read nowhere/australian/australian.dat: no such file; " +
			"psgld-tui data fetch australian fetches it",
	} {
		want = strings.Replace(want, "FAMILIES", strings.Join(names, ", "), 1)
		p, err := Open(spec, Options{DataDir: "nowhere"})
		if err == nil || strings.ReplaceAll(err.Error(), `\`, "/") != want || p != nil {
			t.Errorf("Open(%q): error %v\nwant %s", spec, err, want)
		}
		// Files that cannot be read are no misuse.
		var wrong *SpecError
		if errors.As(err, &wrong) == strings.HasPrefix(want, "cannot read") {
			t.Errorf("Open(%q): error of type %T", spec, err)
		}
	}
}

func TestCanonicalSpec(t *testing.T) {
	for spec, want := range map[string]string{
		" gaussian: ":                   "gaussian",
		"gaussian:a=1":                  "gaussian",
		"gaussian: noise = .10 ; a=2.0": "gaussian:a=2;noise=0.1",
		"gaussian:cov=0.16,0,0,2":       "gaussian:a=2",
		"gaussian:cov=1,.5,0.5,1":       "gaussian:cov=1,0.5,0.5,1",
		"gaussian:cov=1,0,0,1;noise=1":  "gaussian:cov=1,0,0,1;noise=1",
		"banana:s2=2;b=1":               "banana:b=1;s2=2",
		"mixture:gap=6":                 "mixture:gap=6",
		"funnel:s=1":                    "funnel",
		"blr":                           "blr:synthetic",
		"regress;noise=0.2":             "regress:noise=0.2",
	} {
		p := open(t, spec, Options{})
		if p.Spec != want {
			t.Errorf("%q became %q, want %q", spec, p.Spec, want)
		}
		if again := open(t, p.Spec, Options{}); again.Spec != p.Spec || again.Title != p.Title {
			t.Errorf("%q became %q", p.Spec, again.Spec)
		}
	}
	if got := open(t, "gaussian", Options{}); got.Title != "N(0, diag(0.16, 1))" || got.Defaults.Eps != 0.3 {
		t.Errorf("%q, ε = %v", got.Title, got.Defaults.Eps)
	}
}

// What a target lacks in the data folder is a set that can be fetched.
func TestAbsent(t *testing.T) {
	empty := Options{DataDir: t.TempDir()}
	for spec, want := range map[string]string{
		"gaussian": "", "blr:synthetic": "", "blr": "", "blr:data.csv": "",
		"blr:a9a": "a9a", "blr:australian": "australian", "mlp:400-400": "mnist", "cnn": "mnist",
	} {
		if got := Absent(spec, empty); got != want {
			t.Errorf("%s lacks %q, want %q", spec, got, want)
		}
	}
	for set, want := range map[string]string{"strokes": "", "cifar10": "cifar10", "mnist": "mnist", t.TempDir(): ""} {
		if got := Absent("mlp:5", Options{DataDir: empty.DataDir, Dataset: set}); got != want {
			t.Errorf("mlp:5 on %s lacks %q, want %q", set, got, want)
		}
	}
	there := Options{DataDir: dataDir(t)}
	for _, spec := range []string{"blr:a9a", "blr:australian", "mlp:5"} {
		if got := Absent(spec, there); got != "" {
			t.Errorf("%s lacks %q, which is there", spec, got)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, spec := range []string{"gaussian:a=2;noise=0.1", "gaussian:cov=1,0.9,0.9,1", "banana:b=1;s1=3",
		"mixture:w=.1;gap=0", "funnel:s=2", "a;b", "regress:points=0,1/2,-3e2;noise=0.1", "classify:4;points=0,1,1"} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		for _, family := range []string{"blr", "mlp", "cnn"} {
			if strings.HasPrefix(strings.TrimSpace(spec), family) || strings.Contains(spec, "data") {
				return // would open files or draw a data set
			}
		}
		p, err := Open(spec, Options{})
		if err != nil {
			return
		}
		if again, err := Open(p.Spec, Options{}); err != nil || again.Spec != p.Spec {
			t.Errorf("%q: canonical %q, then %v", spec, p.Spec, err)
		}
		_, function := p.F64.(Functional)
		if f := p.Frame; !function && !(p.Defaults.Eps > 0 && f.X0 < f.X1 && f.Y0 < f.Y1) {
			t.Errorf("%q: ε %v, frame %v", spec, p.Defaults.Eps, f)
		}
	})
}
