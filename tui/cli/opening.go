package cli

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// opening is what a screen shows, which is opened while it shows that.
type opening struct {
	what     string
	patience time.Duration // for which nothing is shown
	again    []string      // what a command line needs beside the Config
	rt       session.Runtime
	line     string                 // the command line of the session; empty to write that of its Config
	began    func(*session.Session) // is told of the session; nil where nobody asks
	// open reads the session's config and opens its target. It may set what rt replays.
	open func(at *loading.Loading, rt *session.Runtime) (state.Config, *targets.Problem, error)
}

// patience is how long opening a target may take before there is a screen: shorter than a
// person notices. There is one at once for a target that reads images.
func patience(target string) time.Duration {
	if targets.ReadsImages(target) {
		return 0
	}
	return 30 * time.Millisecond
}

// screenFlags are those of every command that shows a session.
type screenFlags struct {
	plain  bool
	record string
	cast   string
	fps    int            // 0 for what the settings say
	lesson *lesson.Lesson // that begins with the session; nil for none
	fresh  bool           // no flag was given
	class  classroom      // what a lecturer's screen has beside its own; nil for none
}

func (o *screenFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&o.plain, "plain", false, "print a status line every second instead of the screen")
	o.addOnScreen(c)
}

// addOnScreen adds those of a command that cannot do without the screen.
func (o *screenFlags) addOnScreen(c *cobra.Command) {
	addText(c, &o.record, "record", "FILE", "write the session to FILE on quitting, for replay")
	addText(c, &o.cast, "cast", "FILE", "record the screen to FILE as an asciinema cast")
	addCount(c, &o.fps, "fps", "RATE", prefs.MaxFPS, fmt.Sprintf("%d to %d", prefs.MinFPS, prefs.MaxFPS),
		"frames a second, 1 to 60: fewer for a slow line")
}

func (e *env) screenCommand() *cobra.Command {
	c := &cobra.Command{
		Short: "Watch and steer stochastic-gradient samplers",
		Long:  rootLong,
		Example: "psgld-tui\n" +
			"psgld-tui --target blr:australian --samplers psgld,sgld\n" +
			"psgld-tui run --target gaussian --eps 0.3 --steps 200000 --json",
	}
	var from sessionFlags
	from.add(c)
	var o screenFlags
	o.add(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		o.fresh = c.Flags().NFlag() == 0
		return e.show(c.Context(), opening{
			what: opened(from.args), patience: patience(from.args["target"]), again: from.again(), rt: from.runtime(),
			open: func(at *loading.Loading, rt *session.Runtime) (c state.Config, p *targets.Problem, err error) {
				c, p, rt.Replay, err = from.openTelling(at)
				return c, p, err
			},
		}, o)
	}
	return c
}

// opened says which target, and of which data, the flags open.
func opened(a grammar.Args) string {
	target := cmp.Or(a["target"], grammar.DefaultTarget)
	if data := a["dataset"]; data != "" {
		target += " on " + data
	}
	return target
}
