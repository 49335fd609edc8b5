package study

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/numerics"
	"github.com/psgld/psgld-tui/engine/state"
)

// keptPlan is a plan of three jobs, with outcomes that were made up.
func keptPlan() (Plan, []Outcome) {
	p := namedJobs(3)
	for i := range p.Jobs {
		p.Jobs[i].Config.Seed, p.Jobs[i].Config.Lanes = uint64(i), []state.Setting{{Sampler: "sgld"}}
	}
	var all []Outcome
	for i := range p.Len() {
		j := p.Job(i)
		all = append(all, Outcome{ID: j.ID, At: i, Job: j.Hash(), Seconds: float64(i), Lanes: []engine.LaneResult{{Lane: "A", Sampler: "sgld", Digest: j.ID}}})
	}
	return p, all
}

// wantStore opens a results file that can be opened.
func wantStore(t *testing.T, path string, p Plan, s Shard) *Store {
	t.Helper()
	st, err := OpenStore(path, "v1", p, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st
}

func keptFile(t *testing.T) (path string, p Plan, all []Outcome) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "r.jsonl")
	p, all = keptPlan()
	st := wantStore(t, path, p, All)
	for _, o := range all {
		if err := st.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	return path, p, all
}

// A file that is cut off anywhere has the outcomes of its whole lines, goes on
// from there and is then what it would have been.
func TestAResultsFileCutAnywhere(t *testing.T) {
	path, p, all := keptFile(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut <= len(whole); cut += 7 {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		st := wantStore(t, path, p, All)
		lines := bytes.Count(whole[:cut], []byte("\n"))
		for i, o := range all {
			got, ok := st.Done(p.Job(i))
			if want := i+1 < lines; ok != want || ok && got.Lanes[0].Digest != o.Lanes[0].Digest {
				t.Fatalf("cut at %d: job %d is %+v, %v", cut, i, got, ok)
			}
			if !ok {
				if err := st.Add(o); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = st.Close()
		if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, whole) {
			t.Fatalf("cut at %d: the file is\n%s\nwant\n%s", cut, again, whole)
		}
	}
}

// What is not the results of this plan and program is refused in one line and left
// as it is.
func TestForeignResultsAreRefused(t *testing.T) {
	path, p, _ := keptFile(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := namedJobs(2)
	other.Name = "others"
	for _, c := range []struct {
		name, content string
		plan          Plan
		shard         Shard
		want          string
	}{
		{"another plan", string(whole), other, All, "holds shard 1/1 of another plan (some, "},
		{"another shard", string(whole), p, Shard{1, 2}, "holds shard 1/1 of another plan (some, "},
		{"another version", strings.Replace(string(whole), `"version":"v1"`, `"version":"v0"`, 1), p, All, "is by version v0 of the program and this is v1"},
		{"another form", strings.Replace(string(whole), `"psgld_results":1`, `"psgld_results":2`, 1), p, All, "is a results file of form 2, want 1: another version of the program wrote it"},
		{"another form altogether", "{\"psgld_results\":7,\"plan\":[]}\n", p, All, "is a results file of form 7, want 1"},
		{"no results", "id,x\n1,2\n", p, All, "is no results file"},
		{"no results, one line", "hello", p, All, "is no results file"},
		{"a broken line", strings.Replace(string(whole), `"id":"b"`, `"id":`, 1), p, All, ":3: not an outcome"},
		{"a broken head", strings.Replace(string(whole), `"version":"v1"`, `"version":{}`, 1), p, All, ":1: not the head of a results file of form 1"},
	} {
		if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := OpenStore(path, "v1", c.plan, c.shard)
		if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != c.content {
			t.Errorf("%s: the file has changed", c.name)
		}
	}
}

// What is no file is no results file, and neither waits nor fills the memory.
func TestResultsAreARegularFile(t *testing.T) {
	p, _ := keptPlan()
	for _, path := range []string{os.DevNull, "/dev/zero", "/dev/full"} {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if _, err := OpenStore(path, "v1", p, All); err == nil || err.Error() != "cannot write "+path+": not a regular file" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Two at once are kept apart, and one after the other is not.
func TestAResultsFileIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	p, all := keptPlan()
	first := wantStore(t, path, p, All)
	if _, err := OpenStore(path, "v1", p, All); err == nil || err.Error() != path+" is in use by another run" {
		t.Errorf("a second: %v", err)
	}
	if err := first.Add(all[0]); err != nil {
		t.Error(err)
	}
	_ = first.Close()
	if _, ok := wantStore(t, path, p, All).Done(p.Job(0)); !ok {
		t.Error("the outcome is lost")
	}
}

// A results file that is removed while it is written is there again at the next outcome, or at the
// end, with all that it had. Another file in its place is left alone.
func TestAResultsFileIsRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("what is open cannot be removed")
	}
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "r.jsonl")
	p, all := keptPlan()
	st := wantStore(t, path, p, All)
	remove := func(what string) {
		t.Helper()
		if err := os.RemoveAll(what); err != nil {
			t.Fatal(err)
		}
	}
	read := func(want int) {
		t.Helper()
		if _, got, err := readFile(path); err != nil || len(got) != want {
			t.Errorf("%d outcomes, want %d, %v", len(got), want, err)
		}
	}
	if err := st.Add(all[0]); err != nil {
		t.Fatal(err)
	}
	remove(path)
	if err := st.Add(all[1]); err != nil {
		t.Error(err)
	}
	read(2)
	remove(dir)
	r := Runner{Jobs: p.Part(All), Store: st, Known: map[string]Outcome{all[2].Job: all[2]}}
	if got, err := r.Run(t.Context()); err != nil || len(got) != 3 {
		t.Errorf("%d outcomes, %v", len(got), err)
	}
	read(3)
	remove(path)
	if _, err := r.Run(t.Context()); err != nil { // which has nothing to add
		t.Error(err)
	}
	read(3)
	if _, err := OpenStore(path, "v1", p, All); err == nil || err.Error() != path+" is in use by another run" {
		t.Errorf("a second: %v", err)
	}
	remove(path)
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "cannot write " + path + ": another file has taken its place"
	if _, err := r.Run(t.Context()); err == nil || err.Error() != want {
		t.Errorf("another file: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "mine" {
		t.Errorf("another file holds %q, %v", b, err)
	}
}

// A later line of a job stands for an earlier one.
func TestTheLaterLineCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	p, all := keptPlan()
	st := wantStore(t, path, p, All)
	skipped := all[1]
	skipped.Skipped, skipped.Lanes = "no data", nil
	for _, o := range []Outcome{all[0], skipped, all[2], all[1]} {
		if err := st.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	for i := range all {
		all[i].numerics = numerics.Version
	}
	m, err := Merge([]string{path})
	if err != nil || !reflect.DeepEqual(m.Outcomes, all) {
		t.Errorf("%+v, %v", m.Outcomes, err)
	}
	known, versions, err := ReadKnown([]string{path})
	if err != nil || len(known) != 3 || !reflect.DeepEqual(versions, []string{"v1"}) {
		t.Errorf("%d known, of %v, %v", len(known), versions, err)
	}
}

// FuzzResults feeds the reader: one line of an error, or outcomes whose lines it
// has read whole.
func FuzzResults(f *testing.F) {
	p, all := keptPlan()
	head, err := json.Marshal(header{storeForm, "v1", p.Name, p.Hash(), All.String(), 3, numerics.Version, NewRequest(RequestedSweep, map[string]int{"repeats": 3})})
	if err != nil {
		f.Fatal(err)
	}
	line, err := json.Marshal(all[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(head, '\n'))
	f.Add(append(append(append(head, '\n'), line...), '\n'))
	f.Add(append(append(head, '\n'), line[:20]...))
	f.Add([]byte(`{"psgld_results":2}` + "\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, got, end, err := readResults("f", bytes.NewReader(b))
		if err != nil {
			if got != nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%d outcomes with %q", len(got), err)
			}
			return
		}
		if end < 1 || end > int64(len(b)) || b[end-1] != '\n' || bytes.IndexByte(b[end:], '\n') >= 0 {
			t.Errorf("the last whole line does not end at %d of %q", end, b)
		}
		_, again, _, err := readResults("f", bytes.NewReader(b[:end]))
		if err != nil || len(again) != len(got) {
			t.Errorf("%d outcomes without what was cut off, %v; %d with it", len(again), err, len(got))
		}
		for _, o := range got {
			if o.ID == "" || o.At < 0 {
				t.Errorf("an outcome is %+v", o)
			}
		}
	})
}

// Sessions whose digits have changed since an earlier numerics version are not taken for
// today's, and other sessions of the same file are.
func TestResultsOfAnOlderNumericsVersion(t *testing.T) {
	var lines []string
	plan := Plan{Name: "networks"}
	for i, spec := range []string{"gaussian", "mlp:8", "cnn"} {
		j := Job{ID: spec, Config: state.Config{Target: spec, Steps: 1}}
		plan.Jobs = append(plan.Jobs, j)
		b, err := json.Marshal(Outcome{ID: j.ID, At: i, Job: j.Hash()})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(b))
	}
	b, err := json.Marshal(header{storeForm, "v1", plan.Name, plan.Hash(), All.String(), 3, 1, nil})
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Replace(string(b), `"numerics":1,`, "", 1) // as older files have it
	path := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(path, []byte(head+"\n"+strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	known, _, err := ReadKnown([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	if r := (Runner{Jobs: plan.Part(All), Known: known}); len(known) != 3 || r.Outdated() != 1 {
		t.Errorf("%d known, %d of them outdated", len(known), r.Outdated())
	}
	if _, err := OpenStore(path, "v1", plan, All); err == nil || !strings.Contains(err.Error(), "is of numerics version 1, by which 1 of its jobs have other digits than by version") {
		t.Errorf("the file is opened: %v", err)
	}
}

// What a file of results promises bounds what is read of it.
func TestResultsAreBounded(t *testing.T) {
	innerlooptest.Skip(t, "large files")
	path, _, _ := keptFile(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(whole), "\n")
	for name, c := range map[string]struct{ content, want string }{
		"a line of blanks": {head + "\n" + strings.Repeat(" ", maxLine+1) + "\n", "r.jsonl:2: the line is longer than 32 MiB"},
		"a long head":      {`{"psgld_results":1,"version":"` + strings.Repeat("x", maxLine) + `"}`, "r.jsonl:1: the line is longer than 32 MiB"},
		"many lanes":       {head + "\n" + `{"id":"x","lanes":[` + strings.Repeat("{},", maxParts) + "{}]}\n", "or has more than 16384 objects and lists"},
		"many jobs":        {string(whole) + `{"id":"x"}` + "\n", "r.jsonl:5: an outcome beyond the 3 jobs of shard 1/1"},
		"a large promise":  {strings.Replace(head, `"jobs":3`, `"jobs":1000000000`, 1) + "\n", "r.jsonl:1: not the head of a results file"},
	} {
		if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := readFile(path); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
