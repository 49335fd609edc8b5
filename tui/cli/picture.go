//go:build !js

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/record"
	"github.com/psgld/psgld-tui/tui/theme"
)

// pictureOptions are the flags of picture beside the session's.
type pictureOptions struct {
	size, keys, theme, title string
	pane, window             bool
}

func (e *env) pictureCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "picture FILE",
		Short: "Write what the screen shows after some steps and keys, without a terminal",
		Long: "Write what the screen shows as a picture: FILE.svg, FILE.png, or FILE.txt for the characters alone.\n" +
			"The session is paused. --keys are keys as the help names them, commands with dashes for their blanks, " +
			"steps=N and type=TEXT, apart by blanks. " +
			"The same flags make the same picture: what depends on the clock is left out.\n\n" +
			"View 6 waits for its whole grid, which on a network takes minutes: runs=N before it draws what there " +
			"is after N runs, " +
			"and : type=grid space type=steps space type=50 enter makes them shorter.",
		Example: "psgld-tui picture stage.svg --keys 'steps=5000'\n" +
			"psgld-tui picture eps.png --window --keys 'steps=2000 : type=eps=1.2 enter steps=2000 2'\n" +
			"psgld-tui picture grid.svg --target mlp:20 --dataset strokes --keys 'runs=13 6'",
	}
	from := sessionFlags{tell: e.Tell}
	from.add(c)
	o := pictureOptions{size: "120x36", keys: "steps=5000", theme: "dark"}
	addText(c, &o.size, "size", "WxH", "columns and rows of the screen")
	addText(c, &o.keys, "keys", "KEYS", "what is pressed and how many steps are run")
	addText(c, &o.theme, "theme", "THEME", "colours: dark, light, or dark-plain and light-plain, which have none")
	addText(c, &o.title, "title", "TEXT", "title of the picture and its window; the command line by default")
	c.Flags().BoolVar(&o.pane, "pane", false, "the focused pane alone")
	c.Flags().BoolVar(&o.window, "window", false, "draw a window around the screen")
	c.Args = oneFile
	c.RunE = func(c *cobra.Command, files []string) error {
		cfg, p, rt, err := from.open()
		if err != nil {
			return err
		}
		return e.picture(c.Context(), files[0], cfg, p, rt, o)
	}
	return c
}

// maxPicture bounds the sides of a picture's screen, in cells.
const maxPicture = 500

func (e *env) picture(ctx context.Context, file string, cfg state.Config, p *targets.Problem, rt session.Runtime,
	o pictureOptions) error {
	kind := strings.ToLower(filepath.Ext(file))
	if kind != ".svg" && kind != ".png" && kind != ".txt" {
		return fmt.Errorf("a picture is a file .svg, .png or .txt, got %q", file)
	}
	ws, hs, _ := strings.Cut(o.size, "x")
	w, err1 := strconv.Atoi(ws)
	h, err2 := strconv.Atoi(hs)
	if err1 != nil || err2 != nil || min(w, h) < 1 || max(w, h) > maxPicture {
		return fmt.Errorf("--size must be COLUMNSxROWS, each 1 to %d, got %q", maxPicture, o.size)
	}
	name, plain := strings.CutSuffix(o.theme, "-plain")
	if name != "dark" && name != "light" {
		return fmt.Errorf("--theme must be dark, light, dark-plain or light-plain, got %q", o.theme)
	}
	plain = plain || kind == ".txt" // where images are shades
	th := theme.New(name == "dark", plain, false)
	if err := atomicfile.Check(file); err != nil {
		return console.Failed(err)
	}
	rt.Interactive = true
	if err := e.findTruth(ctx, cfg, p, truths(rt.Threads)); err != nil {
		return err
	}
	s, err := session.New(cfg, p, rt)
	if err != nil {
		return console.Failed(err)
	}
	var now loading.Loading
	tell := func(done float64, what string) { now.Tell(func() (float64, string) { return done, what }) }
	tell(math.NaN(), "getting ready")
	stop := console.StartProgress(e.Err, time.Second, now.Told)
	// The terminal's own variables have no say in a picture.
	screen, focused, err := app.Still(ctx, s, app.Options{
		DataDir: rt.DataDir, Dark: &th.Dark, NoColor: plain, Environ: []string{"TERM=xterm-256color"},
		Progress: tell,
	}, w, h, o.keys)
	stop()
	if err != nil {
		if ctx.Err() != nil {
			_, what := now.Told()
			return console.Interrupted("interrupted (%s); nothing was written to %s", what, file)
		}
		return fmt.Errorf("--keys: %w", err)
	}
	grid := record.Of(screen)
	if o.pane {
		if focused.Empty() {
			return console.Failed(errors.New("this screen has no panes"))
		}
		grid = grid.Crop(focused)
	}
	look := record.Like(th)
	look.Window, look.Title = o.window, o.title
	var b bytes.Buffer
	switch kind {
	case ".svg":
		err = grid.SVG(&b, look)
	case ".png":
		err = grid.PNG(&b, look)
	default:
		b.WriteString(grid.Text())
	}
	if err != nil {
		return console.Failed(err)
	}
	return console.Failed(atomicfile.Write(file, b.Bytes()))
}
