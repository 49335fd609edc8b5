package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	msgs := make(chan tea.Msg, 10_000)
	seen, opened := map[string]int{}, map[string]bool{}
	var do func(cmd tea.Cmd)
	take := func(msg tea.Msg) {
		if all, ok := msg.(tea.BatchMsg); ok {
			for _, cmd := range all {
				do(cmd)
			}
			return
		}
		if _, quits := msg.(tea.QuitMsg); quits || msg == nil {
			return
		}
		_, cmd := m.Update(msg)
		do(cmd)
		seen[m.Notices.Own.Text]++
		opened[m.Feed.Newest.Problem.Spec] = true
	}
	do = func(cmd tea.Cmd) {
		if cmd != nil {
			go func() {
				select {
				case msgs <- cmd():
				case <-t.Context().Done():
				}
			}()
		}
	}
	rest := func(d time.Duration) {
		over := time.After(d)
		for {
			select {
			case msg := <-msgs:
				take(msg)
			case <-over:
				m.View()
				return
			}
		}
	}
	do(m.Init())
	take(tea.WindowSizeMsg{Width: 100, Height: 30})
	made := filepath.Join(dir, "made")
	arguments := []string{"", made, made + ".png", "a b", "../made", canary, "blr:" + canary,
		"blr:" + filepath.Join(dir, canary), "blr:australian", "exec:touch " + made,
		"stan:" + made + ";data=" + canary, "mlp:4", "cnn", "density:-x^2",
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
	if !opened["gaussian:a=2"] {
		t.Errorf("of %v the target without a file was not opened", opened)
	}
	for _, said := range []string{closedHere, "target blr: " + closedHere, "target exec: " + closedHere,
		"target stan: " + closedHere} {
		if seen[said] == 0 {
			t.Errorf("%q was not said", said)
		}
	}
}
