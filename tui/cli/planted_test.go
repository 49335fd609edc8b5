//go:build slow

package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli/console"
)

// Of the faults that plant.py plants, in NumPy and without a line of this program, check sees and names all but
// two, and accuses none of its correct cases. With -v the log says from how many draws on each is named.
func TestPlantedFaultsAreNamed(t *testing.T) {
	script, err := filepath.Abs("../../engine/check/testdata/plant.py")
	if err != nil {
		t.Fatal(err)
	}
	by := interpreter(t, "numpy")
	t.Chdir(t.TempDir()) // where the data set of the cases is written
	if out, err := exec.Command(by, script, "all", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	list, err := exec.Command(by, script, "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	planted, seen, named := 0, 0, 0
	for line := range strings.Lines(string(list)) {
		var of struct {
			Name, Fault  string
			Args, Accept []string
			Draws        int
		}
		if err := json.Unmarshal([]byte(line), &of); err != nil {
			t.Fatal(err)
		}
		files := []string{of.Name + ".csv"}
		if _, err := os.Stat(files[0]); err != nil {
			if files, err = filepath.Glob(of.Name + ".?.csv"); err != nil || len(files) == 0 {
				t.Fatalf("%s has no files: %v", of.Name, err)
			}
		}
		var texts [][]string
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, strings.SplitAfter(string(text), "\n"))
		}
		// tells checks the first n draws of each chain.
		tells := func(n int) (status int, rightly bool, faults [][]string) {
			for k, f := range files {
				head := strings.Join(texts[k][:n+1], "")
				if err := os.WriteFile(f, []byte(head), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := runArgs(t, slices.Concat([]string{"check"}, files, of.Args, []string{"--json"})...)
			var doc struct{ Faults [][]string }
			if err := json.Unmarshal([]byte(r.out), &doc); err != nil {
				t.Fatalf("%s: status %d, %s", of.Name, r.status, r.err)
			}
			return r.status, r.status == console.ExitAccused && len(doc.Faults) > 0 &&
				slices.ContainsFunc(doc.Faults[0], func(key string) bool { return slices.Contains(of.Accept, key) }), doc.Faults
		}
		status, rightly, faults := tells(of.Draws)
		if of.Fault == "" {
			if status != console.ExitDone {
				t.Errorf("%s is correct: status %d, %v", of.Name, status, faults)
			}
			continue
		}
		planted++
		if status == console.ExitAccused {
			seen++
		}
		if !rightly {
			t.Logf("%s has %s: status %d, %v", of.Name, of.Fault, status, faults)
			continue
		}
		if named++; !testing.Verbose() {
			continue
		}
		need := of.Draws
		for _, n := range []int{30_000, 10_000, 3000, 1000, 300, 100} {
			if n < of.Draws {
				if _, rightly, _ := tells(n); !rightly {
					break
				}
				need = n
			}
		}
		t.Logf("%s is named in %s from %d draws on", of.Fault, of.Name, need)
	}
	if planted < 60 || seen < planted-2 || named < planted-2 {
		t.Errorf("%d of %d planted faults are seen and %d named", seen, planted, named)
	}
	t.Logf("%d of %d planted faults are seen and %d named", seen, planted, named)
}
