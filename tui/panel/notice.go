package panel

import (
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// mostNotice is the most rows of a notice.
const mostNotice = 6

// lifted is what there is to tell, and how many rows it takes above the strip; less
// than two where it stands in the footer.
func lifted(f *pane.Frame, foot, above plane.Rect) (told bool, rows int) {
	text := f.Note.Text
	if text != "" && !f.Covered {
		if f.Theme.ASCII {
			text = plane.Spell(text)
		}
		rows = min(len(plane.Wrap(text, foot.W-4)), mostNotice, above.H/3)
	}
	return f.Note.Text != "", rows
}

// tell draws what is below the strip: a notice or the hint of keys. A notice that
// is too long for one row stands above the strip, over the view's last rows,
// unless something is open there; the panes then end above it.
func tell(g plane.Region, f *pane.Frame, hints []control.Hint, foot, above plane.Rect) {
	_, rows := lifted(f, foot, above)
	if rows < 2 {
		footer(g.Sub(foot), f, hints)
		return
	}
	n, th := f.Note, &f.Theme
	glyph, style := th.Glyphs.Bullet, th.Accent
	if n.Bad {
		glyph, style = th.Glyphs.Warning, th.Warn
	}
	g.Sub(above).LiftFoot(rows, *th)
	at := g.Sub(plane.Rect{X: above.X, Y: above.Y + above.H - rows, W: above.W, H: rows})
	at.Fill(' ', plane.Style{})
	at.Set(1, 0, glyph, style)
	at.Sub(plane.Rect{X: 3, W: foot.W - 4, H: rows}).TextWrapped(n.Text, style)
	at.Zone(noticeZone)
	drawHints(g.Sub(foot).Row(0), 1, f, hints)
}
