package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// TestHostileResults spoils results files in a place or two, and gives them to merge and
// --from: one line and status 1, or numbers that are left out, and never a panic.
func TestHostileResults(t *testing.T) {
	innerlooptest.Later(t, "many spoilt files")
	dir := t.TempDir()
	t.Chdir(dir)
	sweep := []string{"sweep", "--steps", "300", "--grid", "eps=0.1,0.3", "--repeats", "2", "--out"}
	ok(t, append(sweep, "sweep.jsonl")...)
	reproduce := []string{"reproduce", "fig1b", "--scale", "quick", "--out"}
	ok(t, append(reproduce, "report")...)
	const tries = 30
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		file  string
		again []string
	}{{"sweep.jsonl", sweep}, {filepath.Join("report", "results-1-of-1.jsonl"), reproduce}} {
		whole, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(whole), "\n"), "\n")
		for i := range tries {
			spoilt := slices.Clone(lines)
			line := r.IntN(len(lines))
			if i < 4 { // lanes that are missing and null, of all
				for k := range spoilt[1:] {
					spoilt[k+1] = []string{
						`{"lanes":null,`, `{"lanes":[],`, `{"curves":[],"draws":null,`, `{"lanes":[{},{}],`,
					}[i] + strings.NewReplacer(`"lanes":`, `"was":`, `"draws":[{`, `"drew":[{`).Replace(spoilt[k+1][1:])
				}
			} else {
				spoilt[line] = spoil(t, r, spoilt[line])
			}
			write(t, "spoilt.jsonl", strings.Join(spoilt, "\n")+"\n")
			for k, args := range [][]string{{"merge", "spoilt.jsonl"},
				append(slices.Clone(c.again), fmt.Sprint("again", i, c.file), "--from", "spoilt.jsonl")} {
				if k == 1 && line == 0 && i >= 4 || k == 1 && i%5 > 3 {
					continue // it says nothing of the sessions
				}
				got := runArgs(t, args...)
				if got.status > console.ExitDiverged || strings.Contains(got.err, "goroutine") ||
					k == 0 && strings.Count(got.err, "\n") > 1 {
					t.Errorf("%q: status %d, %s; %s is\n%s", args, got.status, got.err, c.file, spoilt[line])
				}
				if i < 2 && (got.status != console.ExitFailed || !strings.Contains(got.err, "has 0 lanes")) {
					t.Errorf("%q: status %d, %s", args, got.status, got.err)
				}
			}
		}
	}
}

// spoil puts what nobody expects somewhere into a document.
func spoil(t *testing.T, r *rand.Rand, line string) string {
	var doc any
	if err := json.Unmarshal([]byte(line), &doc); err != nil {
		t.Fatal(err)
	}
	bad := []any{nil, []any{}, map[string]any{}, 0, -1, 1e300, "", "x", []any{nil}, []any{map[string]any{}}, true}
	at := doc
	for {
		var next any
		var set func(any)
		switch x := at.(type) {
		case map[string]any:
			keys := make([]string, 0, len(x))
			for k := range x {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			if len(keys) == 0 {
				break
			}
			k := keys[r.IntN(len(keys))]
			next, set = x[k], func(v any) { x[k] = v }
			if r.IntN(8) == 0 {
				delete(x, k)
				set = func(any) {}
			}
		case []any:
			if len(x) == 0 {
				break
			}
			k := r.IntN(len(x))
			next, set = x[k], func(v any) { x[k] = v }
		}
		if set == nil {
			break
		}
		switch next.(type) {
		case map[string]any, []any:
			if r.IntN(3) > 0 {
				at = next
				continue
			}
		}
		set(bad[r.IntN(len(bad))])
		break
	}
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
