package lesson

import (
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// In ASCII letters are spelled out, and lines are broken by what is drawn: a card
// as high as it wants to be shows all of its words.
func TestSpelledCards(t *testing.T) {
	th := theme.New(true, true, true)
	for _, l := range lesson.Builtin() {
		for r, more := lesson.Start(l), true; more; r, more = r.Next() {
			c := card{Card: r.Card()}
			for _, w := range []int{40, 80} {
				p := plane.NewPlane(w, c.height(&th, w))
				p.ASCII = true
				c.draw(p.Region(), &th)
				var words []string
				for _, line := range strings.Split(p.RenderPlain(), "\n") {
					words = append(words, strings.Fields(strings.Trim(line, "|"))...)
				}
				drawn := strings.Join(words, " ")
				for _, text := range append([]string{c.Caption, c.Question}, c.Choices...) {
					if want := strings.NewReplacer("₁", "1", "₂", "2").Replace(strings.Join(strings.Fields(plane.Spell(text)), " ")); !strings.Contains(drawn, want) && c.Phase == lesson.Asking {
						t.Errorf("%s, scene %d at %d columns lacks %q:\n%s", l.Name, c.At+1, w, want, p.RenderPlain())
					}
				}
			}
		}
	}
}

// click is the binding that a click on a cell does; empty for none.
func click(p *plane.Plane, x, y int) string {
	z := p.ZoneAt(x, y)
	return z.Click.Name
}

// The choice under the mouse is the one that is drawn there, and the one that is
// hot is seen.
func TestChoiceUnderTheMouse(t *testing.T) {
	th := theme.New(true, false, false)
	for _, l := range lesson.Builtin() {
		for r, more := lesson.Start(l), true; more; r, more = r.Next() {
			c := card{Card: r.Card()}
			if c.Phase != lesson.Asking {
				continue
			}
			for _, size := range [][2]int{{80, 15}, {120, 12}, {200, 9}, {40, 30}} {
				w, h := size[0], size[1]
				for c.scroll = range 2 {
					p := plane.NewPlane(w, h)
					c.draw(p.Region(), &th)
					seen := 0
					for y, line := range strings.Split(p.RenderPlain(), "\n") {
						for i := range c.Choices {
							n := strconv.Itoa(i + 1)
							at := strings.Index(line, " "+n+"  "+strings.Fields(c.Choices[i])[0])
							if at < 0 {
								continue
							}
							seen++
							x := plane.Width(line[:at])
							if got, want := click(p, x, y), answerName+n; got != want {
								t.Fatalf("%s, scene %d, %d×%d: a click at %d, %d does %q, want %q:\n%s", l.Name, c.At+1, w, h, x, y, got, want, p.RenderPlain())
							}
							if got := click(p, 0, y); got != "" {
								t.Errorf("%s: a click on the border does %q", l.Name, got)
							}
						}
					}
					if c.scroll == 0 && seen != len(c.Choices) && w > 40 {
						t.Errorf("%s, scene %d, %d×%d: %d of %d choices are seen", l.Name, c.At+1, w, h, seen, len(c.Choices))
					}
				}
			}
			c.scroll = 0
			cold, hot := plane.NewPlane(80, 15), plane.NewPlane(80, 15)
			c.draw(cold.Region(), &th)
			c.hot = 1
			c.draw(hot.Region(), &th)
			if hot.RenderPlain() != cold.RenderPlain() || hot.Render() == cold.Render() {
				t.Errorf("%s: the hot choice differs by more than its look, or not by that", l.Name)
			}
			c = card{Card: c.Card}
			c.Phase = lesson.Doing
			answered := plane.NewPlane(80, 15)
			c.draw(answered.Region(), &th)
			for y := range 15 {
				if got := click(answered, 5, y); got != "" {
					t.Fatalf("%s: an answered question still does %q", l.Name, got)
				}
			}
		}
	}
}
