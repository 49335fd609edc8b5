package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/record"
	"github.com/psgld/psgld-tui/tui/wording"
)

// TestNothingUntrustedIsShown walks every surface on which a run's numbers are shown, for
// every quantity: what cannot be trusted is a number on none of them.
func TestNothingUntrustedIsShown(t *testing.T) {
	if testing.Short() {
		t.Skip("every surface")
	}
	for name, args := range map[string][]string{
		"a short chain":         {"--samplers", "psgld", "--steps", "40"},
		"an optimiser":          {"--samplers", "adam", "--steps", "4000"},
		"a chain without noise": {"--samplers", "sgld:temp=0", "--steps", "4000"},
		// of 1,000 of burn-in
		"no draw":               {"--target", "blr:synthetic", "--samplers", "sgld", "--steps", "500"},
		"few draws of a family": {"--target", "banana", "--samplers", "bbb:burn-in=0;thin=1", "--steps", "10"},
		"a diverged lane":       {"--samplers", "sgld,psgld", "--eps", "0.7", "--steps", "4000"},
		"an untrained student": {"--target", "mlp:8", "--dataset", "strokes", "--samplers",
			"distill:psgld:student-from=100;burn-in=0;thin=1", "--batch", "4", "--steps", "8"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "an untrained student" {
				innerlooptest.Later(t, "a network, which all surfaces look at")
			}
			w := walk{T: t, args: args, snap: played(t, args...)}
			t.Run("snapshot", w.snapshot)
			t.Run("table", w.table)
			t.Run("JSON", w.json)
			t.Run("plain", w.plain)
			t.Run("CSV", w.csv)
			t.Run("sweep", w.sweep)
			t.Run("lesson", w.lesson)
			t.Run("picture", w.picture)
		})
	}
}

// session is what the command line's session comes to.
func played(t *testing.T, args ...string) *engine.Snapshot {
	t.Helper()
	file := filepath.Join(t.TempDir(), "session.json")
	runArgs(t, slices.Concat([]string{"run"}, args, []string{"--record", file})...)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r engine.Recording
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	p, err := r.Config.Open("")
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.New(r.Config, p, session.Runtime{Threads: 1, Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(t.Context()) }()
	for ; ; time.Sleep(5 * time.Millisecond) {
		if snap := s.Snapshot(); snap.Phase == state.Done || snap.Phase == state.AllDiverged {
			return snap
		}
	}
}

// A walk is a run with its surfaces. What is shown is held to snap, of which the first
// surface tells that it shows no number itself.
type walk struct {
	*testing.T
	args []string
	snap *engine.Snapshot
}

// each calls check for every quantity of every lane that cannot be trusted.
func (w walk) each(check func(lane int, q *quantity.Quantity, why metrics.Status)) {
	some := false
	for i := range w.snap.Lanes {
		for id := range quantity.All {
			if e := w.snap.Lanes[i].Values[id]; !e.OK() {
				some = some || e.Status != metrics.Absent
				check(i, &quantity.All[id], e.Status)
			}
		}
	}
	if !some {
		w.Error("everything can be trusted")
	}
}

// The rule itself, said once more: which quantities of which lane cannot be trusted.
func (w walk) snapshot(t *testing.T) {
	for i := range w.snap.Lanes {
		v := &w.snap.Lanes[i]
		family := v.Facts.Has(quantity.Variational)
		mixing := v.Facts.Has(quantity.Sampling) && v.Diverged == nil && v.Temp > 0 && v.Values[quantity.MaxACT].OK() &&
			float64(v.Draws) >= 50*v.Values[quantity.MaxACT].Value
		bad := map[quantity.Basis]bool{
			quantity.Mixing: !mixing, quantity.Chain: !mixing && !(family && v.Draws >= 25),
			quantity.Steps:       v.Diverged != nil,
			quantity.Described:   v.Diverged != nil || v.Draws == 0,
			quantity.Predictions: v.Diverged != nil || v.Draws == 0 || strings.Contains(v.Setting.Sampler, "distill"),
		}
		look := func(q *quantity.Quantity, e metrics.Estimate) {
			if e.OK() && bad[q.Basis] {
				t.Errorf("%s of lane %d is %v", q.Key, i, e)
			}
			if x := e.Trusted(); !e.OK() && e.Status != metrics.Absent && (x == x || e.Value == e.Value) {
				t.Errorf("%s of lane %d is withheld, and has the value %v", q.Key, i, e.Value)
			}
		}
		for id := range quantity.All {
			look(&quantity.All[id], v.Values[id])
		}
		for k := range v.Coords {
			for id := range quantity.Coordinates {
				q, e := &quantity.Coordinates[id], v.Coords[k].Values[id]
				if q.Basis == quantity.Mixing && mixing != e.OK() && v.Facts.Has(quantity.Sampling) &&
					v.Diverged == nil && v.Temp > 0 {
					continue // a coordinate may be known before the slowest
				}
				look(q, e)
			}
		}
	}
	w.each(func(int, *quantity.Quantity, metrics.Status) {})
}

// tableOf are the cells of the rows of a table of which the first column is a lane's letter.
func tableOf(t *testing.T, text, head string) (columns []string, rows [][]string) {
	t.Helper()
	wide := regexp.MustCompile(`  +`)
	for _, line := range strings.Split(text, "\n") {
		switch parts := wide.Split(strings.TrimSpace(line), -1); {
		case strings.HasPrefix(line, head):
			columns = parts
		case len(columns) > 0 && len(parts) == len(columns):
			rows = append(rows, parts)
		case line == "" && len(rows) > 0:
			return columns, rows
		}
	}
	if len(rows) == 0 {
		t.Fatalf("no table in\n%s", text)
	}
	return columns, rows
}

func (w walk) table(t *testing.T) {
	columns, rows := tableOf(t, runArgs(t, slices.Concat([]string{"run"}, w.args)...).out, "lane  ")
	w.inTable(t, columns, rows)
	if x, drawn := drawnError(w.snap); drawn && strings.Contains(fmt.Sprint(rows), fmt.Sprintf("%.3f", x)) {
		t.Errorf("the table shows the error of the draws: %v", rows)
	}
}

func (w walk) inTable(t *testing.T, columns []string, rows [][]string) {
	t.Helper()
	w.each(func(lane int, q *quantity.Quantity, why metrics.Status) {
		at := slices.Index(columns, q.Symbol)
		if at >= 0 && rows[lane][at] != wording.Withheld(why) && rows[lane][at] != wording.None {
			t.Errorf("%s of lane %d is %s, want %v", q.Symbol, lane, rows[lane][at], why)
		}
	})
}

func (w walk) json(t *testing.T) {
	var d struct {
		Lanes []map[string]any
	}
	out := runArgs(t, slices.Concat([]string{"run", "--json"}, w.args)...).out
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	w.inDocument(t, d.Lanes)
}

func (w walk) inDocument(t *testing.T, lanes []map[string]any) {
	t.Helper()
	w.each(func(lane int, q *quantity.Quantity, why metrics.Status) {
		x, has := lanes[lane][q.Key]
		notes := fmt.Sprint(lanes[lane]["notes"])
		switch {
		case q.Key == "draws" || q.Key == "seconds" || q.Key == "steps" || q.Key == "steps_per_second":
		case has != (q.Result && why != metrics.Absent), x != nil:
			t.Errorf("%s of lane %d is %v, want null for %v", q.Key, lane, x, why)
		case has && !strings.Contains(notes, q.Key+" of all coordinates: "+why.String()) &&
			!strings.Contains(notes, q.Key+": "+why.String()):
			t.Errorf("no note on %s of lane %d in %s", q.Key, lane, notes)
		}
	})
	for lane, v := range w.snap.Lanes {
		for id := range quantity.Coordinates {
			q := &quantity.Coordinates[id]
			all, _ := lanes[lane][q.Key].([]any)
			for i, x := range all[:min(len(all), 2)] {
				if e := v.Coords[i].Values[id]; e.OK() != (x != nil) {
					t.Errorf("%s of coordinate %d of lane %d is %v, want %v", q.Key, i, lane, x, e)
				}
			}
		}
	}
}

func (w walk) plain(t *testing.T) {
	var lines []string
	for _, v := range w.snap.Lanes {
		lines = append(lines, laneStatus(v, "tau"))
	}
	w.each(func(lane int, q *quantity.Quantity, why metrics.Status) {
		_, after, ok := strings.Cut(lines[lane], strings.ReplaceAll(q.Name, "τ", "tau")+" ")
		if ok && !strings.HasPrefix(after, wording.Withheld(why)) {
			t.Errorf("lane %d: %s, want %s %v", lane, lines[lane], q.Name, why)
		}
	})
	if out := runArgs(t, slices.Concat([]string{"--plain"}, w.args)...).out; !strings.Contains(out, lines[0]) {
		t.Errorf("the end says\n%s\nwithout %s", out, lines[0])
	}
}

// A point of a curve has no number while a shorter run would have none.
func (w walk) csv(t *testing.T) {
	var b strings.Builder
	if err := record.Curves(&b, w.snap); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	w.each(func(lane int, q *quantity.Quantity, why metrics.Status) {
		const first = 10 // of the quantities
		at := slices.Index(rows[0][first:], q.Key)
		if q.Charted != (at >= 0) {
			t.Errorf("%s is charted: %v, a column: %v", q.Key, q.Charted, at >= 0)
		}
		for _, row := range rows[1:] {
			// What rests on steps or on nothing was known before the lane ended, and a lane that
			// has diverged had not.
			if at >= 0 && row[0] == state.LaneLetter(lane) && row[first+at] != "" && q.Basis != quantity.Always &&
				q.Basis != quantity.Steps && why != metrics.Diverged {
				t.Errorf("%s of lane %d is %s at step %s, want nothing for %v", q.Key, lane, row[first+at], row[2], why)
			}
		}
	})
}

func (w walk) sweep(t *testing.T) {
	eps := w.snap.Lanes[0].Setting.Eps()
	args := slices.Concat([]string{"sweep"}, w.args, []string{"--repeats", "1", "--grid", fmt.Sprintf("eps=%v", eps)})
	args = slices.DeleteFunc(args, func(a string) bool { return a == "--eps" || a == "0.7" })
	columns, rows := tableOf(t, runArgs(t, args...).out, "eps  ")
	w.inTable(t, columns, rows)
	var d struct {
		Cells []struct{ Lanes []map[string]any }
	}
	if err := json.Unmarshal([]byte(runArgs(t, append(args, "--json")...).out), &d); err != nil {
		t.Fatal(err)
	}
	w.inDocument(t, d.Cells[0].Lanes)
}

func (w walk) lesson(t *testing.T) {
	var tells []string
	w.each(func(lane int, q *quantity.Quantity, _ metrics.Status) {
		for _, key := range append([]string{q.Key}, q.Aliases...) {
			tells = append(tells,
				fmt.Sprintf("%s(%s) = {%[1]s(%s)}", key, state.LaneLetter(lane), state.LaneLetter(lane)))
		}
	})
	for i := range w.snap.Lanes {
		for _, axis := range []string{"x", "y"} {
			for k := range quantity.Coordinates {
				q := &quantity.Coordinates[k]
				e := w.snap.Lanes[i].Coords[strings.Index("xy", axis)].Values[k]
				if !e.OK() || q.Basis == quantity.Described && w.snap.Lanes[i].Trust[quantity.Chain] != metrics.OK {
					tells = append(tells,
						fmt.Sprintf("%s_%s(%s) = {%[1]s_%[2]s(%s)}", q.Key, axis, state.LaneLetter(i),
							state.LaneLetter(i)))
				}
			}
		}
	}
	text := fmt.Sprintf("name = \"x\"\ntitle = \"x\"\ncaption = \"x\"\n[[scene]]\ncaption = \"x\"\nsession = "+
		"\"--target gaussian\"\ndo = \"wait\"\ngoal = \"lanes > 0\"\nreveal = %q\n", strings.Join(tells, "; "))
	l, err := lesson.Read([]byte(text), "x")
	if err != nil {
		t.Fatal(err)
	}
	told := lesson.Start(l).See(w.snap).Card().Reveal
	if n := strings.Count(told, " = "); n != len(tells) {
		t.Fatalf("a lesson tells %d things, want %d:\n%s", n, len(tells), told)
	}
	for _, said := range strings.Split(told, "; ") {
		_, is, ok := strings.Cut(said, " = ")
		if ok && strings.ContainsAny(strings.Split(is, " (At")[0], "0123456789") {
			t.Errorf("a lesson tells %s", said)
		}
	}
}

// The screen: in every view no number stands beside the name of a quantity that cannot be
// trusted in any lane, nor the covariance's error of the draws anywhere.
func (w walk) picture(t *testing.T) {
	if len(w.snap.Lanes) > 1 {
		return
	}
	steps := w.args[len(w.args)-1]
	for _, view := range []string{"1", "2", "3"} {
		file := filepath.Join(t.TempDir(), "screen.txt")
		ok(t, slices.Concat([]string{"picture", file, "--size", "160x50", "--keys", "steps=" + steps + " " + view},
			w.args)...)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w.each(func(_ int, q *quantity.Quantity, why metrics.Status) {
			for _, name := range []string{q.Symbol, q.Name} {
				shown := regexp.MustCompile(`(?m)(?:^|[│ ])` + regexp.QuoteMeta(name) + ` {1,20}[-≈]?[0-9][^│]*`)
				// the range of G
				if found := shown.FindString(string(b)); found != "" && !strings.Contains(found, "to") {
					t.Errorf("view %s shows %q, want %v", view, found, why)
				}
			}
		})
		if x, drawn := drawnError(w.snap); drawn && strings.Contains(string(b), fmt.Sprintf("%.3f", x)) {
			t.Errorf("view %s shows the error of the draws, %.3f:\n%s", view, x, b)
		}
	}
}

// drawnError is the covariance error of a lane's draws in the plane that cannot be trusted.
func drawnError(s *engine.Snapshot) (x float64, ok bool) {
	v := &s.Lanes[0]
	if v.Facts.Has(quantity.CovTruth) && !v.Values[quantity.CovError].OK() && v.Cov[0] == v.Cov[0] {
		for i, c := range v.Cov {
			x += math.Abs(c-v.TrueCov[i]) * []float64{1, 2, 1}[i]
		}
		return x, true
	}
	return 0, false
}
