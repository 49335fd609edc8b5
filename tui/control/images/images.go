// Package images is the controller that browses coefficients, layers and images and shifts the last.
package images

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/weights"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/view"
)

// Images is the controller of single predictions: which images are shown, and by what the test images are shifted.
type Images struct {
	*control.Desk
	control.Unseen
	control.Quiet
}

// New makes the controller of a desk.
func New(d *control.Desk) *Images { return &Images{Desk: d} }

// farShift is beyond the end of every shift.
const farShift = 1 << 20

func (c *Images) Bindings() []control.Binding {
	state := func() bool { return !c.Focus.Read && c.browsing() }
	lacks := func() string { return c.Feed.Lacks(view.Predictions) }
	const pages, choose, shift, ends, kind = "where a view has pages: the next, the one before",
		"images: select the previous, the next", "images: shift less, more",
		"images: no shift, full shift", "images: another kind of shift"
	return slices.Concat(
		control.In(control.Views, nil, []control.Binding{
			{Name: "browse and shift images", Lacks: lacks, Page: control.OnView, On: c.images, Keys: "i",
				Help: "select images and shift them, with arrows", Do: c.toBrowse},
			{Name: "next page", Unlisted: true, Page: control.OnView, On: c.paged, Keys: "pgdown", Help: pages,
				Do: control.By(c.browse, 1)},
			{Name: "previous page", Unlisted: true, Page: control.OnView, On: c.paged, Keys: "pgup", Help: pages,
				Do: control.By(c.browse, -1)},
		}),
		control.In(control.Views, state, []control.Binding{
			{Name: "images: choose the one before", Keys: "up", Help: choose, Hint: "choose", Rank: 3,
				Do: control.By(c.imageBy, -1)},
			{Name: "images: choose the next", Keys: "down", Help: choose, Hint: "choose", Rank: 3,
				Do: control.By(c.imageBy, 1)},
			{Name: "images: shift less", Keys: "left", Help: shift, Hint: "shift", Rank: 2,
				Do: control.By(c.shiftBy, -1)},
			{Name: "images: shift more", Keys: "right", Help: shift, Hint: "shift", Rank: 2,
				Do: control.By(c.shiftBy, 1)},
			{Name: "images: no shift", Keys: "shift+left home", Help: ends, Do: control.By(c.shiftBy, -farShift)},
			{Name: "images: all of the shift", Keys: "shift+right end", Help: ends,
				Do: control.By(c.shiftBy, farShift)},
			{Name: "images: next shift", Keys: "tab", Help: kind, Hint: "other kind", Rank: 4,
				Do: control.By(c.shiftKind, 1)},
			{Name: "images: shift before", Keys: "shift+tab", Help: kind, Do: control.By(c.shiftKind, -1)},
			{Name: "images: leave", Keys: "esc enter", Help: "images: leave them", Hint: "back", Rank: 1,
				Do: c.leaveBrowse},
		}),
		[]control.Binding{
			{Name: "shift", Lacks: lacks, Group: control.Views, Help: "shift the test images: rotate 45, noise 80 …",
				Do: control.By(c.shiftKind, 1), With: c.parseShift,
				Examples: []string{":shift noise 80: add noise to the test images; also rotate …"}},
			{Name: predictions.DoSlide, At: c.slide},
			{Name: predictions.DoTurn, At: func(at control.Hit) tea.Cmd { return c.shiftBy(at.By) }},
			{Name: predictions.DoChoose, At: c.choose},
			{Name: pane.DoPage, At: c.browseBy},
		},
	)
}

// images reports whether view 5 shows images that can be shifted.
func (c *Images) images() bool {
	s := c.Feed.Foreseen
	return c.Focus.View == view.Predictions && s.Shift != nil && len(s.Shift.Kinds) > 0
}

// browsing reports whether keys choose images and shift them.
func (c *Images) browsing() bool { return c.Focus.Browse && c.images() }

// toBrowse goes into view 5 where images are chosen and shifted by arrows, or out of it.
func (c *Images) toBrowse() tea.Cmd {
	if c.browsing() {
		return c.leaveBrowse()
	}
	if c.Feed.Foreseen.Shift == nil {
		return c.Say(false, "only a network has images to browse: choose one as the target ("+
			c.Keys.First("target")+")")
	}
	show := c.Show(view.Predictions)
	c.Focus.Browse, c.Focus.Read = true, false
	return tea.Batch(show, c.Say(false, "images: "+strings.Join([]string{
		c.Keys.First("images: choose the one before") + c.Keys.First("images: choose the next") + " choose",
		c.Keys.First("images: shift less") + c.Keys.First("images: shift more") + " shift",
		c.Keys.First("images: next shift") + " another kind",
		c.Keys.First("images: leave") + " back",
	}, ", ")))
}

func (c *Images) leaveBrowse() tea.Cmd {
	c.Focus.Browse = false
	c.Notices.Clear()
	return nil
}

// imageBy chooses the image that is by places away, around the end.
func (c *Images) imageBy(by int) tea.Cmd {
	n := len(c.Feed.Foreseen.Predictions)
	if n == 0 {
		return c.Say(false, "there are no predictions yet")
	}
	at := min(max(c.Focus.Image, 0), n-1)
	c.Focus.Image = ((at+by)%n + n) % n
	return c.lookAt()
}

// lookAt has the images around the chosen one shifted, if any are.
func (c *Images) lookAt() tea.Cmd {
	v := c.Feed.Foreseen.Shift
	if v == nil || v.Asked.Kind == targets.NoShift {
		return nil
	}
	return c.shift(v.Asked)
}

func (c *Images) shift(s targets.Shift) tea.Cmd {
	return c.Feed.Send(state.SetShift{Shift: s, From: c.Focus.Image})
}

func (c *Images) shiftKind(by int) tea.Cmd {
	v := c.Feed.Foreseen.Shift
	if v == nil || len(v.Kinds) == 0 {
		return c.noShift()
	}
	n := len(v.Kinds)
	kind := v.Kinds[((max(slices.Index(v.Kinds, v.Asked.Kind), 0)+by)%n+n)%n]
	show := c.Show(view.Predictions)
	k := kind.Scale()
	return tea.Batch(show, c.shift(kind.First()), c.Say(false, "images: "+k.Name+", "+k.Doc))
}

// shiftBy turns the amount by notches. Without a shift it begins with a rotation.
func (c *Images) shiftBy(notches int) tea.Cmd {
	v := c.Feed.Foreseen.Shift
	if v == nil || v.Asked.Kind == targets.NoShift && !slices.Contains(v.Kinds, targets.ShiftRotate) {
		return c.noShift()
	}
	s := v.Asked
	if s.Kind == targets.NoShift {
		s = targets.Shift{Kind: targets.ShiftRotate}
	}
	if s = s.Turn(notches); s == v.Asked {
		return c.Say(false, fmt.Sprintf("%s %g%s is the end of its scale", s.Kind.Scale().Name, s.Amount,
			s.Kind.Scale().Unit))
	}
	return c.shift(s)
}

func (c *Images) noShift() tea.Cmd {
	return c.Say(false, "only the images of a network can be shifted")
}

// slide sets the amount to the place of its slider that was hit.
func (c *Images) slide(at control.Hit) tea.Cmd {
	v := c.Feed.Foreseen.Shift
	if v == nil {
		return nil
	}
	if s := v.Asked.Slide(chart.SliderFrac(at.X, at.W)); s != v.Asked {
		return c.shift(s)
	}
	return nil
}

// choose chooses the image that was hit, if images are chosen; else it focuses its pane.
func (c *Images) choose(at control.Hit) tea.Cmd {
	i, err := strconv.Atoi(at.Args[0])
	if c.browsing() && err == nil {
		c.Focus.Image = i
		return c.lookAt()
	}
	at.Args = at.Args[1:]
	cmd, _ := c.Keys.On(plane.Do{Name: pane.DoFocus, Args: at.Args}, at)
	return cmd
}

// browseBy browses with the wheel: to another image if images are chosen, else to another page of them.
func (c *Images) browseBy(at control.Hit) tea.Cmd {
	switch {
	case at.Along:
		return nil
	case c.browsing():
		return c.imageBy(-at.By)
	}
	return c.browse(-at.By)
}

func (c *Images) parseShift(arg string) (func() tea.Cmd, error) {
	v := c.Feed.Foreseen.Shift
	if v == nil {
		return nil, fmt.Errorf("needs a network: only its images can be shifted")
	}
	s, err := targets.ParseShift(arg, v.Kinds...)
	return func() tea.Cmd { return tea.Batch(c.Show(view.Predictions), c.shift(s)) }, err
}

// browse shows the next page of coefficients, layers or images, or the one before, around the
// end. Of a page of coefficients the first two are watched.
func (c *Images) browse(by int) tea.Cmd {
	if !c.paged() {
		return c.Say(false, "there is no other page: "+c.Keys.First("layout")+", then "+c.Keys.First("next pane")+
			" shows the view's panes one by one")
	}
	f := c.Frame()
	w, h := c.Screen.ViewRect.W, c.Screen.ViewRect.H
	switch c.Focus.View {
	case view.Diagnostics:
		size, of := diagnostics.PageSize(&f)
		at := pane.FirstOf(c.Lane().Watch[0], by, size, of)
		return c.Feed.Send(c.Focus.Watching([2]int{at, (at + 1) % of}, false))
	case view.Weights:
		size, of := weights.PageSize(w, h, &f)
		c.Focus.Layer = pane.FirstOf(c.Focus.Layer, by, size, of)
		return nil
	}
	size, of := predictions.PageSize(w, h, &f), len(c.Feed.Foreseen.Predictions)
	if c.Screen.Compact() || size == 0 {
		return c.Say(false, "view "+c.Keys.First("view: predictions")+
			" shows predictions of test images, as soon as there are some")
	}
	c.Focus.Image = pane.FirstOf(c.Focus.Image, by, size, of)
	return c.lookAt()
}

// paged reports whether the view has several pages.
func (c *Images) paged() bool {
	switch f := c.Frame(); c.Focus.View {
	case view.Diagnostics:
		size, of := diagnostics.PageSize(&f)
		return size < of
	case view.Weights:
		size, of := weights.PageSize(c.Screen.ViewRect.W, c.Screen.ViewRect.H, &f)
		return size < of
	case view.Predictions:
		_, images := c.Feed.Foreseen.Problem.Impl().(targets.Pictures)
		return images
	}
	return false
}
