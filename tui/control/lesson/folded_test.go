package lesson

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

func folded(c *card, w int, th theme.Theme) string {
	p := plane.NewPlane(w, c.foldedRows(&th, w))
	p.ASCII = th.ASCII
	c.drawFolded(p.Region(), &th)
	return p.RenderPlain()
}

// Of the goals of each lesson's scene none that is not met is hidden from 80 columns on,
// whichever they are, and none at all is hidden without being counted.
func TestFoldedGoals(t *testing.T) {
	values := []string{"too short", "1,234,567"}
	for _, th := range []theme.Theme{theme.New(true, true, false), theme.New(true, true, true)} {
		for _, l := range lesson.Builtin() {
			for r, more := lesson.Start(l), true; more; r, more = r.Next() {
				all := r.Answer(0).Card()
				n := len(all.Goals)
				for open := range 1 << n {
					c := card{Card: all}
					c.Goals = append([]lesson.GoalLine(nil), all.Goals...)
					settings := true // all are as the goal wants them
					for i := range c.Goals {
						if g := &c.Goals[i]; open>>i&1 == 0 {
							g.State = lesson.True
						} else if settings = settings && g.Counts; g.Counts {
							g.State = lesson.False
						}
					}
					for i := range c.Goals {
						if g := &c.Goals[i]; g.State == lesson.True || !g.Counts || settings {
							g.Value = values[map[bool]int{true: 1}[g.Counts]]
						}
					}
					drawn := strings.ReplaceAll(folded(&c, 80, th), " - ", " – ") // a dash in ASCII
					hidden := false
					for i := range c.Goals {
						g := &c.Goals[i]
						u := text{th: &th}
						shows := strings.Contains(drawn, u.spell(g.Label+" "+strings.TrimSpace(g.Value+"  "+g.Aim())))
						hidden = hidden || !shows
						if !shows && g.State != lesson.True {
							t.Errorf("%s, scene %d: %s is not met and hidden:\n%s", l.Name, r.At+1, g.Label, drawn)
						}
					}
					// What is left out is what is met, and all of it.
					if met := n - bits.OnesCount(uint(open)); hidden && open > 0 && !(strings.Contains(drawn, fmt.Sprintf("%d met, %d open", met, n-met)) && strings.Count(drawn, " "+string(th.Glyphs.Bullet)+" ") == n-met && !strings.Contains(drawn, string(th.Glyphs.OK)+" ")) {
						t.Errorf("%s, scene %d: the count is not that of the list:\n%s", l.Name, r.At+1, drawn)
					}
					if hidden != strings.Contains(drawn, " met, ") {
						t.Errorf("%s, scene %d: hidden %v:\n%s", l.Name, r.At+1, hidden, drawn)
					}
				}
			}
		}
	}
}
