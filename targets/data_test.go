package targets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fault of the data is one line with the statement, the column and what is allowed.
func TestDataFaults(t *testing.T) {
	at := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	csv := at("t.csv", "x,y,word\n1,2,a\n2,NA,b\n3,1,c\n")
	json := at("t.json", `{"n": 3, "x": [1, 2, 3], "z": [1, 2], "m": [[1, 2], [3, 4], [5, 7]], "w": [1, null, 3]}`)
	for _, c := range []struct{ spec, want string }{
		{csv + ";y ~ normal(a*x, 1)", `"y ~ normal(a*x, 1)": t.csv:3: column 2 (y) has value "NA", want a number`},
		{csv + ";x ~ normal(a*word, 1)", `column 3 (word) has value "a", want a number`},
		{csv + ";q ~ normal(a, 1)", "no statement names a column of t.csv, which has x, y, word; " +
			"want one such as word ~ normal(a + b*x, s); s > 0"},
		{carsName, "which has speed, dist; want one such as dist ~ normal(a + b*speed, s); s > 0"},
		{csv + ";x ~ normla(a, 1)", `"normla" is no function (did you mean "normal"?); want one of exp`},
		{csv + ";x ~ normal(a, 1);q > 0", `bound "q > 0": "q" is neither a parameter nor a setting, want one of a`},
		{csv + ";x ~ normal(a*lag(q, 1), 1)", "t.csv has no column q, want one of x, y, word"},
		{csv + ";x ~ normal(a*lag(x, 3), 1)", "leaves none of 3 rows"},
		{csv + ";x ~ poisson(a);a ~ gamma(1, 1)", "add the bound a > 0"},
		{json + ";x ~ normal(a*z, 1)", "z has 2 rows, and x has 3"},
		{json + ";x ~ normal(a*w, 1)", "w: row 2 has no value, want a number"},
		{json + ";x ~ normal(a*m[,3], 1)", "t.json has no column m[,3]"},
		{csv + ";x ~ normal(a, 1);b=word", "setting b must be a number"},
		{csv + "; y = a + b*x", `got "a + b*x"; a statement about a column has ~ in place of =`},
		{"", "must be data:FILE;STATEMENT"}, {"nowhere.csv;x ~ normal(a, 1)", "cannot read nowhere.csv: no such file"},
	} {
		_, err := Open(DataPrefix+c.spec, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", c.spec, err, c.want)
		}
		// What the line says wrongly is wrong usage, and what the file has a failure.
		of, inFile := (*SpecError)(nil), strings.Contains(c.want, "want a number") || strings.Contains(c.want, "rows") ||
			strings.Contains(c.want, "cannot read")
		if is := errors.As(err, &of); is != !inFile {
			t.Errorf("%s: %v is wrong usage: %v", c.spec, err, is)
		}
	}
	p := open(t, DataPrefix+json+";x ~ normal(a*m[,2] + n*b, s); s > 0; standardize=on", Options{})
	if p.Dim() != 3 || p.N() != 3 || !strings.Contains(p.Taken, "standardised: m[,2]") {
		t.Errorf("%d parameters, %d rows, %s", p.Dim(), p.N(), p.Taken)
	}
}

// A name that is no column is a parameter, and what was taken says which column it is near, unless something tells that
// it is meant to be one.
func TestParameterNearAColumn(t *testing.T) {
	for text, want := range map[string]bool{
		"dist ~ normal(a + b*sped, s)": true, "dist ~ normal(a + b*sped, s); sped ~ normal(0, 1)": false,
		"dist ~ normal(a + sped*speed, s)": false, "dist ~ normal(a + b*lag(speed, 1), s)": false,
	} {
		p := open(t, DataPrefix+"cars;"+text+"; s > 0", Options{})
		if said := strings.Contains(p.Taken, "sped is a parameter (did you mean the column speed?)"); said != want {
			t.Errorf("%s: %s", text, p.Taken)
		}
	}
}

// What was taken of a file names a column that has a constant's name where a statement is about it, and only there.
func TestColumnsOfConstantsNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("y,e\n1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"y ~ normal(a + b*e, 1)": "columns: e, y, 2 rows", "y ~ normal(a, 1)": "columns: y, 2 rows",
	} {
		if p := open(t, DataPrefix+path+";"+text, Options{}); !strings.Contains(p.Taken, want) {
			t.Errorf("%s: %s, want %s", text, p.Taken, want)
		}
	}
}
