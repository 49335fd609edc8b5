package keep

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/record"
)

// noFiles says that there is nowhere to write to.
const noFiles = "nothing can be written here"

// filming is the cast that is being recorded, if any.
type filming struct {
	cast *record.Cast
	name string
}

func (c *Keep) film(name string) tea.Cmd {
	if cast := c.filming.cast; cast != nil {
		return c.ends(cast, cast.Close)
	}
	if c.Outside.Files == nil {
		return c.Say(true, cmp.Or(c.Outside.Closed, noFiles))
	}
	out, name, err := c.Outside.Files.Stream(strings.TrimSpace(name), ".cast")
	if err != nil {
		return c.Say(true, err.Error())
	}
	w, h := c.Screen.Width, c.Screen.Height
	look := record.Like(c.Theme)
	cast := record.NewCast(out, w, h, record.CastOptions{
		Title:  c.Feed.Foreseen.Problem.Title,
		Ink:    look.Ink,
		Ground: look.Ground,
		Env:    map[string]string{"TERM": c.getenv("TERM")},
	})
	c.Screen.Filming = true
	c.filming = filming{cast, name}
	c.Screen.Dirty = true
	return tea.Batch(c.Say(false, "recording the screen to "+name), c.ends(cast, cast.Wait))
}

// filmFromStart begins the cast that the options ask for, as soon as the screen has a size.
func (c *Keep) filmFromStart() tea.Cmd {
	name := c.Outside.Cast
	if w, h := c.Screen.Width, c.Screen.Height; name == "" || w == 0 || h == 0 {
		return nil
	}
	c.Outside.Cast = ""
	return c.film(name)
}

// ends tells of the end of a cast, for which end waits.
func (c *Keep) ends(cast *record.Cast, end func() error) tea.Cmd {
	return control.Beside(func() func() tea.Cmd {
		err := end()
		return func() tea.Cmd {
			f := c.filming
			if f.cast != cast {
				return nil // told already
			}
			c.filming, c.Screen.Filming = filming{}, false
			if err != nil {
				return c.Say(true, "the recording ended: "+err.Error())
			}
			return c.Say(false, "recorded "+f.name)
		}
	})
}

// close ends the cast, whatever has ended the screen.
func (f *filming) close() error {
	if f.cast == nil {
		return nil
	}
	if err := f.cast.Close(); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	return nil
}

// shoot offers the newest frame to the cast.
func (f *filming) shoot(p *plane.Plane) {
	if f.cast != nil {
		f.cast.Frame(record.Of(p))
	}
}

// picture writes the screen, or the focused pane, as an SVG, or as a PNG if the name says so.
func (c *Keep) picture(name string, pane bool) tea.Cmd {
	if c.Outside.Files == nil {
		return c.Say(true, cmp.Or(c.Outside.Closed, noFiles))
	}
	c.Notices.Clear()
	c.Screen.Redraw()
	g := record.Of(c.Screen.Plane)
	look := record.Like(c.Theme)
	look.Title, look.Window = c.Feed.Foreseen.Problem.Title, !pane
	if pane {
		p, ok := c.Screen.PaneToStart(&c.Focus)
		if !ok || p.Rect.Empty() {
			return c.Say(true, "this screen has no panes")
		}
		g = g.Crop(p.Rect)
	}
	files := c.Outside.Files
	name = strings.TrimSpace(name)
	ext, write := ".svg", g.SVG
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png":
		ext, write = ".png", g.PNG
	case ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".bmp", ".tiff":
		return c.Say(true, fmt.Sprintf("a picture is a file .svg or .png, not %q", name))
	}
	return c.writing(func() (string, error) {
		return files.Whole(name, ext, func(w io.Writer) error { return write(w, look) })
	})
}

// tables writes the numbers of the charts: the points of the
// curves, and the newest draws beside them, or what the view has in their place.
func (c *Keep) tables(name string) tea.Cmd {
	files := c.Outside.Files
	if files == nil {
		return c.Say(true, cmp.Or(c.Outside.Closed, noFiles))
	}
	s := c.Feed.Newest
	if write := c.Screen.Table(); write != nil {
		return c.writing(func() (string, error) { return files.Whole(strings.TrimSpace(name), ".csv", write) })
	}
	return c.writing(func() (string, error) {
		curves, err := files.Whole(strings.TrimSpace(name), ".csv",
			func(w io.Writer) error { return record.Curves(w, s) })
		if err != nil {
			return "", err
		}
		draws, err := files.Whole(strings.TrimSuffix(curves, ".csv")+"-draws", ".csv",
			func(w io.Writer) error { return record.Trace(w, s) })
		return curves + " and " + draws, err
	})
}
