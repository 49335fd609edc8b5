//go:build slow

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	code "github.com/psgld/psgld-tui/engine/program"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// Every program in every language gives draws that check does not accuse: on a plane, a formula or a regression, such
// that every language and every program is met on each of these.
func TestEveryProgramIsChecked(t *testing.T) {
	csv := filepath.Join(t.TempDir(), "people.csv")
	rows := "age,income,smokes\n"
	for i := range 120 { // two features that overlap between the labels
		rows += fmt.Sprintf("%d,%d,%d\n", 20+i*37%61, 100+i*i%97+i%2*20, i%2)
	}
	if err := os.WriteFile(csv, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	regression := []string{"--target", "blr:" + csv, "--thin", "1", "--batch", "20"}
	whole := []string{"--target", "blr:" + csv, "--thin", "1"}
	for i, language := range code.Languages() {
		t.Run(language, func(t *testing.T) {
			by, few := interpreter(t, language), 0
			for j, method := range code.Names() {
				exact := method == "mala" || method == "hmc"
				steps := []string{"--steps", "15000"}
				if language == "torch" { // which takes ten times as long a step
					steps[1] = map[bool]string{false: "8000", true: "4000"}[method == "hmc"]
				}
				for k, session := range [][]string{
					{"--target", "gaussian:cov=1,0.5,0.5,1", "--eps", "0.2"},
					{"--target", "density:-x^4/4 - b*y^2;b=0.7", "--eps", "0.1"},
					slices.Concat(map[bool][]string{false: regression, true: whole}[exact],
						[]string{"--eps", map[bool]string{false: "0.002", true: "0.02"}[exact]}),
				} {
					if (i+j+k)%3 > 0 {
						continue
					}
					r, text := checkProgram(t, by, language, method, session,
						func(text string) string { return text }, steps...)
					switch r.status {
					case console.ExitAccused, console.ExitUsage, console.ExitFailed:
						t.Errorf("%s %v: status %d\n%s%s\n%s", method, session, r.status, r.out, r.err, text)
					case console.ExitTooFew:
						few++
					}
				}
			}
			if few > len(code.Names())/3 {
				t.Errorf("%d programs have too few draws", few)
			}
		})
	}
}
