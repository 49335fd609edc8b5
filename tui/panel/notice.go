package panel

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/plane"
)

// mostNotice is the most rows of a notice.
const mostNotice = 6

// notice is what there is to tell, if anything.
func (f *Frame) notice() (engine.Notice, bool) {
	if f.Snap == nil || f.HideNotice || f.Snap.Notice.Text == "" {
		return engine.Notice{}, false
	}
	return f.Snap.Notice, true
}

// lifted is what there is to tell, and how many rows it takes above the strip; less
// than two where it stands in the footer.
func (f *Frame) lifted(foot, above plane.Rect) (n engine.Notice, ok bool, rows int) {
	if n, ok = f.notice(); ok && !f.Covered {
		text := n.Text
		if f.Theme.ASCII {
			text = plane.Spell(text)
		}
		rows = min(countRows(text, foot.W-4), mostNotice, above.H/3)
	}
	return n, ok, rows
}

// tell draws what is below the strip: a notice or the hint of keys. A notice that
// is too long for one row stands above the strip, over the view's last rows,
// unless something is open there; the panes then end above it.
func tell(g plane.Region, f *Frame, foot, above plane.Rect) {
	n, _, rows := f.lifted(foot, above)
	if rows < 2 {
		footer(g.Sub(foot), f)
		return
	}
	th := &f.Theme
	glyph, style := th.Glyphs.Bullet, th.Accent
	if n.Bad {
		glyph, style = th.Glyphs.Warning, th.Warn
	}
	g.Sub(above).LiftFoot(rows, *th)
	at := g.Sub(plane.Rect{X: above.X, Y: above.Y + above.H - rows, W: above.W, H: rows})
	at.Fill(' ', plane.Style{})
	at.Set(1, 0, glyph, style)
	wrap(at.Sub(plane.Rect{X: 3, W: foot.W - 4, H: rows}), n.Text, style)
	hint(g.Sub(foot).Row(0), 1, f)
}
