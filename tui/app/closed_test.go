package app

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
)

const closedHere = "not in this test"

// everything lists the files below a folder with their sizes and times.
func everything(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			all = append(all, strings.Join([]string{path, info.Mode().String(), info.ModTime().String()}, " "))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A pump gives a screen the messages of its commands, which run beside it.
type pump struct {
	t     *testing.T
	m     *model
	msgs  chan tea.Msg
	after func() // each message
}

func (w *pump) take(msg tea.Msg) {
	if all, ok := msg.(tea.BatchMsg); ok {
		for _, cmd := range all {
			w.do(cmd)
		}
		return
	}
	if _, quits := msg.(tea.QuitMsg); quits || msg == nil {
		return
	}
	_, cmd := w.m.Update(msg)
	w.do(cmd)
	w.after()
}

func (w *pump) do(cmd tea.Cmd) {
	if cmd != nil {
		go func() {
			select {
			case w.msgs <- cmd():
			case <-w.t.Context().Done():
			}
		}()
	}
}

func (w *pump) rest(d time.Duration) {
	over := time.After(d)
	for {
		select {
		case msg := <-w.msgs:
			w.take(msg)
		case <-over:
			w.m.View()
			return
		}
	}
}

// A screen that is closed makes no file and starts no command, whatever is done on it: every
// command there is with every kind of argument, in every view, and every key. It says so where
// that is what was asked for.
func TestClosedScreenReachesNothing(t *testing.T) {
	innerlooptest.Skip(t, "every command and key")
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"} {
		t.Setenv(name, dir)
	}
	t.Chdir(dir)
	// What could be read is there.
	const canary = "canary.csv"
	if err := os.WriteFile(canary, []byte("1,2,0\n2,1,1\n3,1,0\n1,3,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("australian", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("australian/australian.dat", []byte("1 2 0\n2 1 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := targets.Open("gaussian", targets.Options{Closed: closedHere})
	if err != nil {
		t.Fatal(err)
	}
	cfg := state.Config{Target: "gaussian", Seed: 1, Init: "random",
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}}
	s, err := session.New(cfg, p,
		session.Runtime{Threads: 1, Interactive: true, DataDir: dir, Closed: closedHere,
			Budget: session.Budget{Bounds: state.Bounds{StepsPerSecond: 2000, Lanes: 2}}})
	if err != nil {
		t.Fatal(err)
	}
	running(t, s)
	before := everything(t, dir)
	commandLine := func(s *engine.Snapshot) (string, error) { return grammar.SteeredLine(s) }
	m := newModel(t.Context(), s,
		Options{Dark: dark(), Environ: []string{"TERM=xterm-256color"}, DataDir: dir, Guest: new(Guest),
			Outside: control.Outside{Closed: closedHere, CommandLine: commandLine}})
	m.opts.hold = s.Hold
	seen, opened := map[string]int{}, map[string]bool{}
	w := &pump{t: t, m: m, msgs: make(chan tea.Msg, 10_000), after: func() {
		seen[m.Notices.Own.Text]++
		opened[m.Feed.Newest.Problem.Spec] = true
	}}
	do, take, rest := w.do, w.take, w.rest
	do(m.Init())
	take(tea.WindowSizeMsg{Width: 100, Height: 30})
	made := filepath.Join(dir, "made")
	arguments := []string{"", made, made + ".png", "a b", "../made", canary, "blr:" + canary,
		"blr:" + filepath.Join(dir, canary), "blr:australian", "exec:touch " + made,
		"stan:" + made + ";data=" + canary, "regress:data =" + canary,
		"data:cars;dist ~ normal(a + b*speed, 20)", "mlp:4", "cnn", "density:-x^2",
		"gaussian:a=2", "400", "on", "all"}
	act := func(b *control.Binding) {
		if b.Do != nil {
			do(b.Do())
			seen[m.Notices.Own.Text]++
		}
		for _, arg := range arguments {
			if b.With == nil {
				break
			}
			if then, err := b.With(arg); err == nil {
				do(then())
				seen[m.Notices.Own.Text]++
			}
		}
	}
	for view := range m.views {
		do(m.Show(view))
		for _, b := range control.All(m.Keys.Bindings) {
			if b.Name == "quit" || b.Keys == "ctrl+c" || b.When != nil && !b.When() {
				continue
			}
			act(&b)
			for i := range b.Of {
				act(&b.Of[i])
			}
			rest(time.Millisecond)
			if m.Keys.Layer != nil { // a list: take what is in it
				take(press("enter"))
				rest(time.Millisecond)
			}
			m.Close()
		}
	}
	for _, k := range everyKey(m) {
		if k != "q" && k != "ctrl+c" {
			take(press(k))
			rest(0)
		}
	}
	// One after the other, as the newest counts: each is answered before the next is sent, however long that takes.
	for _, spec := range arguments {
		m.Close()
		family, _, _ := strings.Cut(spec, ":")
		for _, b := range control.All(m.Keys.Bindings) {
			if b.Name == "target" && b.With != nil && strings.Contains(spec, ":") {
				if then, err := b.With(spec); err == nil {
					do(then())
					rest(50 * time.Millisecond)
					for end := time.Now().Add(20 * time.Second); seen["target "+family+": "+closedHere] == 0 &&
						!opened[spec] && time.Now().Before(end); {
						rest(50 * time.Millisecond)
					}
				}
			}
		}
	}
	rest(time.Second)
	m.tell(control.EndMsg{Failed: func(err error) { t.Error(err) }})
	if after := everything(t, dir); !slices.Equal(before, after) {
		t.Errorf("files:\n%s\nwere\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	for spec := range opened {
		if strings.Contains(spec, "australian") || strings.Contains(spec, canary) || strings.HasPrefix(spec, "exec") ||
			strings.HasPrefix(spec, "stan") ||
			strings.HasPrefix(spec, "mlp") || strings.HasPrefix(spec, "cnn") {
			t.Errorf("%s was opened", spec)
		}
	}
	for _, spec := range []string{"gaussian:a=2", "data:cars;dist ~ normal(a + b*speed, 20)"} {
		if !opened[spec] {
			t.Errorf("of %v the target %s without a file was not opened", opened, spec)
		}
	}
	for _, said := range []string{closedHere, "target blr: " + closedHere, "target exec: " + closedHere,
		"target stan: " + closedHere} {
		if seen[said] == 0 {
			t.Errorf("%q was not said", said)
		}
	}
}

// spied has every function of an Outside, and each method of its interfaces, tell that it was asked for. It fails.
func spied(asked func()) (o control.Outside) {
	v := reflect.ValueOf(&o).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Func && v.Type().Field(i).Name != "CommandLine" {
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) (out []reflect.Value) {
				asked()
				for k := range f.Type().NumOut() {
					out = append(out, reflect.Zero(f.Type().Out(k)))
				}
				if last := len(out) - 1; f.Type().Out(last) == reflect.TypeFor[error]() {
					out[last] = reflect.ValueOf(errors.New("spied"))
				}
				return out
			}))
		}
	}
	o.Files = spiedFiles(asked)
	return o
}

type spiedFiles func()

func (f spiedFiles) Whole(string, string, func(io.Writer) error) (string, error) {
	f()
	return "", errors.New("spied")
}

func (f spiedFiles) Stream(string, string) (io.WriteCloser, string, error) {
	f()
	return nil, "", errors.New("spied")
}

// What reaches out of an open screen is refused on a closed one, with one line that says so: each line that has asked
// for something outside there, as a spy tells, targets of each family that are about a file or a command, and what the
// command line has besides.
func TestWhatReachesOutIsRefused(t *testing.T) {
	innerlooptest.Skip(t, "every command on two screens")
	const file, unknown = "canary.csv", "density:-t1^2-t2^2-t3^2;d=3" // whose truth is not known
	t.Chdir(t.TempDir())
	screen := func(o control.Outside) *pump {
		p, err := targets.Open(unknown, targets.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := session.New(state.Config{Target: unknown, Seed: 1, Lanes: []state.Setting{state.DefaultSetting(p, "sgld")}},
			p, session.Runtime{Threads: 1, Interactive: true, Closed: o.Closed})
		if err != nil {
			t.Fatal(err)
		}
		running(t, s)
		m := newModel(t.Context(), s,
			Options{Dark: dark(), Environ: []string{"TERM=xterm-256color"}, Outside: o, Guest: new(Guest)})
		m.opts.hold = s.Hold
		w := &pump{t: t, m: m, msgs: make(chan tea.Msg, 1000), after: func() {}}
		w.do(m.Init())
		w.take(tea.WindowSizeMsg{Width: 100, Height: 30})
		return w
	}
	var asked atomic.Bool
	w := screen(spied(func() { asked.Store(true) }))
	open := w.m
	var lines []string
	walk := func(name string, b *control.Binding) {
		for _, arg := range []string{"", file, "hmc"} {
			asked.Store(false)
			do := b.Do
			if arg != "" {
				var err error
				if do = nil; b.With != nil {
					if do, err = b.With(arg); err != nil {
						do = nil
					}
				}
			}
			if do != nil && b.Name != "quit" {
				w.do(do())
				w.rest(20 * time.Millisecond)
				open.Close()
			}
			if asked.Load() {
				lines = append(lines, strings.TrimSpace(name+" "+arg))
			}
		}
	}
	for _, b := range control.All(open.Keys.Bindings) {
		if b.When != nil || b.Name == "" {
			continue
		}
		walk(b.Name, &b)
		for i := range b.Of {
			walk(b.Name+" "+b.Of[i].Name, &b.Of[i])
		}
	}
	for _, f := range targets.Families() {
		for _, args := range []string{file, file + ";y ~ normal(a, 1)", file + ";data=" + file, "data=" + file,
			"data =" + file, "8;data\t= " + file} {
			_, err := targets.Open(f.Name+":"+args, targets.Options{Closed: closedHere})
			if err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s:%s is opened, %v", f.Name, args, err)
			} else if strings.Contains(err.Error(), closedHere) {
				lines = append(lines, "target "+f.Name+":"+args)
			}
		}
	}
	ofFiles := []string{"check", "lesson", "watch"}
	for _, f := range grammar.Flags() {
		if f.Kind == "FILE" {
			ofFiles = append(ofFiles, f.Name)
		}
	}
	for _, name := range ofFiles {
		lines = append(lines, name+" "+file)
	}
	lines = append(lines, "watch -", "truth "+file)
	for _, known := range []string{"save session " + file, "open " + file, "compare " + file, "truth hmc",
		"watch " + file, "reference " + file, "target data:" + file + ";y ~ normal(a, 1)", "target exec:" + file,
		"target stan:" + file + ";data=" + file, "target regress:data=" + file, "target classify:data =" + file} {
		if !slices.Contains(lines, known) {
			t.Errorf(":%s is not among what is walked", known)
		}
	}
	w = screen(control.Outside{Closed: closedHere, OfFiles: ofFiles})
	for _, line := range lines {
		w.m.Close()
		w.m.Notices.Clear()
		typeKeys(w.m, ":"+line)
		for w.take(press("enter")); w.m.Keys.Layer != nil && w.m.Notices.Own.Text == "" && strings.HasPrefix(line, "save"); {
			w.take(press("enter")) // a name that has others below it
		}
		said := func() string { return w.m.Notices.Own.Text }
		for end := time.Now().Add(10 * time.Second); !strings.Contains(said(), closedHere) && time.Now().Before(end); {
			w.rest(20 * time.Millisecond)
		}
		if !strings.Contains(said(), closedHere) || strings.Contains(said(), "\n") {
			t.Errorf(":%s says %q\n%s", line, said(), w.m.text())
		}
	}
}
