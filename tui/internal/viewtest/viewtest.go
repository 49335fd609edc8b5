// Package viewtest helps the tests of what views draw.
package viewtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Sizes are what screens of 80×24, 120×36 and 200×60 leave to a view.
var Sizes = [][2]int{{80, 20}, {120, 32}, {200, 56}}

// The most common of them.
const (
	W = 120
	H = 32
)

// Frame is a frame of a snapshot without colour.
func Frame(s *engine.Snapshot) pane.Frame {
	return pane.Frame{
		Snap: s, Theme: theme.New(true, true, false), Linked: true, LogY: true,
		Keys: planetest.Keys,
	}
}

// Hostile checks frames of any snapshot, look and attention, on w×h cells of any size.
func Hostile(t *testing.T, check func(t *testing.T, f pane.Frame, w, h int)) {
	var snaps []*engine.Snapshot
	for _, s := range scenetest.All() {
		snaps = append(snaps, s.Snap())
	}
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := frametest.Hostile(snaps[r.IntN(len(snaps))], r)
		switch r.IntN(20) {
		case 0:
			s.Lanes = nil
		case 1:
			s.Problem = nil
		case 2:
			s.Problem = &targets.Problem{}
		}
		f := pane.Frame{
			Snap: s, Theme: theme.New(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0),
			Lane: r.IntN(8) - 2, Linked: r.IntN(2) == 0,
			Attention: pane.Attention{Image: r.IntN(300) - 20, XAxis: pane.XAxis(r.IntN(6)), LogX: r.IntN(2) == 0},
			LogY:      r.IntN(2) == 0,
		}
		w, h := 1+r.IntN(300), 1+r.IntN(100)
		if r.IntN(4) == 0 {
			w, h = r.IntN(90), r.IntN(26)
		}
		t.Run(fmt.Sprintf("%d/%dx%d", seed, w, h), func(t *testing.T) { check(t, f, w, h) })
	}
}

// Draw draws a view on a plane of its own.
func Draw(f pane.Frame, v pane.View, w, h int) *plane.Plane {
	p := plane.NewPlane(w, h)
	p.ASCII = f.Theme.ASCII
	if v.Panes != nil {
		v.Draw(p.Region(), &f)
	}
	return p
}

// Picture is a view as text.
func Picture(f pane.Frame, v pane.View, w, h int) string { return Draw(f, v, w, h).RenderPlain() }

// Noted draws a view and returns its panes as well.
func Noted(f pane.Frame, v pane.View, w, h int) (*pane.Panes, string) {
	if f.Panes == nil {
		f.Panes = new(pane.Panes)
	}
	return f.Panes, Picture(f, v, w, h)
}

// Golden compares a view with its picture, whose name ends with the size.
func Golden(t *testing.T, name string, f pane.Frame, v pane.View, w, h int) {
	t.Helper()
	compare(t, f, fmt.Sprintf("%s-%dx%d", name, w, h), Picture(f, v, w, h))
}

// Looks compares a view in several looks, with its styles.
func Looks(t *testing.T, name string, f pane.Frame, v pane.View, w, h int, looks ...theme.Look) {
	t.Helper()
	var drawn []*plane.Plane
	for _, l := range looks {
		f.Theme = theme.Of(l)
		drawn = append(drawn, Draw(f, v, w, h))
	}
	compare(t, f, fmt.Sprintf("%s-%dx%d", name, w, h), frametest.Notation(drawn...))
}

func compare(t *testing.T, f pane.Frame, name, got string) {
	t.Helper()
	if strings.HasPrefix(f.Snap.Config.Target, "mlp") && !scenetest.SameDigits() {
		return
	}
	goldentest.Text(t, name, got)
}

// Check draws a view and holds it to its size, and to closed borders.
func Check(t *testing.T, f pane.Frame, v pane.View, w, h int) {
	t.Helper()
	if f.Panes == nil {
		f.Panes = new(pane.Panes)
	}
	p := Draw(f, v, w, h)
	var over []plane.Rect
	if at, ok := f.Panes.Find(pane.CardPane); ok && f.Card {
		over = append(over, at.Rect)
	}
	if wrong := frametest.Wrong(p, f.Theme, over...); wrong != "" {
		t.Fatalf("%d×%d: %s\n%s", w, h, wrong, p.RenderPlain())
	}
}

// Bench draws a view of 200×60 in colour, down to the string for the terminal. The budget of a frame is 4 ms.
func Bench(b *testing.B, name string, f pane.Frame, v pane.View) {
	b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
		l := f.Theme.Look
		l.Dark, l.NoColor = true, false
		f.Theme, f.Panes, f.Params = theme.Of(l), new(pane.Panes), f.FocusedParams()
		p := plane.NewPlane(200, 60)
		b.ReportAllocs()
		for b.Loop() {
			p.Clear()
			v.Draw(p.Region(), &f)
			_ = p.Render()
		}
	})
}
