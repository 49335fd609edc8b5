package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/plane"
)

// lessons reads the lessons of the program and the user's own. The error says
// which of the latter are wrong; they are left out.
func lessons() ([]*lesson.Lesson, error) { return lesson.Load(lesson.Folder()) }

func (e *env) lessonCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "lesson [NAME | FILE" + lessonExt + "]",
		Short: "List the lessons, or play one on the screen",
		Long: "Play a lesson: a few short scenes. Each asks what will happen before you see it, and gives you " +
			"something to do until a goal is reached, " +
			"which the program checks from the live numbers. Without a name, list the lessons. All keys of the " +
			"screen work in a lesson too. " +
			"Your own lessons are TOML files in " + lesson.Folder() +
			", or anywhere if you name the file; lesson example prints one to begin with.",
		Example: "psgld-tui lesson\npsgld-tui lesson two-curvatures\npsgld-tui lesson example > " +
			"my-lesson.toml\npsgld-tui lesson ./my-lesson.toml\npsgld-tui lesson test",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("lesson plays one lesson, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: completeLessons,
	}
	var around surroundings
	around.add(c)
	var o screenFlags
	o.addOnScreen(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return e.listLessons()
		}
		rt := around.runtime()
		var err error
		if o.lesson, err = findLesson(args[0]); err != nil {
			return err
		}
		if !console.IsTerminal(e.Out.W) {
			return fmt.Errorf("a lesson needs a terminal; lesson test %s plays it without one", args[0])
		}
		preset := &o.lesson.Scenes[0].Preset
		return e.show(c.Context(), opening{
			what:     "the lesson " + o.lesson.Title,
			patience: patience(preset.Session["target"]),
			again:    around.again(),
			rt:       rt,
			open: func(at *loading.Loading, rt *session.Runtime) (state.Config, *targets.Problem, error) {
				cfg, p, err := preset.Session.Config(func(c state.Config) (*targets.Problem,
					error) {
					return at.Target(c, around.options())
				})
				if err != nil {
					return cfg, p, console.Failed(fmt.Errorf("lesson %s: %w", o.lesson.Name, err))
				}
				return cfg, p, nil
			},
		}, o)
	}
	c.AddCommand(e.lessonTestCommand(),
		&cobra.Command{
			Use:   "quantities",
			Short: "List the quantities that a lesson's goals and texts can name",
			RunE:  func(*cobra.Command, []string) error { e.listQuantities(); return nil },
		},
		&cobra.Command{
			Use:   "example",
			Short: "Print a lesson's file with comments, to start your own from",
			RunE:  func(*cobra.Command, []string) error { fmt.Fprint(e.Out, lesson.Example()); return nil },
		})
	return c
}

// lessonExt is how the names of lessons' files end.
const lessonExt = ".toml"

func completeLessons(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	all, _ := lessons()
	names := list.Map(all, func(l *lesson.Lesson) string { return l.Name + "\t" + l.Title })
	return names, cobra.ShellCompDirectiveDefault // files too
}

func findLesson(name string) (*lesson.Lesson, error) {
	if strings.HasSuffix(name, lessonExt) {
		l, err := lesson.ReadFile(name)
		return l, console.Failed(err)
	}
	all, wrong := lessons()
	l, err := lesson.Find(all, name)
	if err == nil {
		return l, nil
	}
	if wrong != nil { // it may be the one that is meant
		err = fmt.Errorf("%w; left out: %w", err, wrong)
	}
	return nil, err
}

func (e *env) listLessons() error {
	all, wrong := lessons()
	t := text.Table{Left: 2}
	t.Add("name", "about")
	for _, l := range all {
		t.Add(l.Name, l.Title)
		for _, line := range plane.Wrap(l.Caption, aboutWidth) {
			t.Add("", line)
		}
	}
	t.Write(e.Out)
	fmt.Fprintf(e.Out, "\n%s lesson NAME plays one.\n", grammar.Program)
	return console.Failed(wrong)
}

// aboutWidth is the width of the last column, beside which names fit into 80.
const aboutWidth = 56

func (e *env) listQuantities() {
	t := text.Table{Left: 2}
	t.Add("quantity", "what it is")
	for _, settings := range []bool{false, true} {
		if settings {
			t.Add()
			t.Add("setting", "what it is")
		}
		for _, row := range lesson.Listed(settings) {
			name := row[0]
			for _, line := range plane.Wrap(row[1], aboutWidth) {
				t.Add(name, line)
				name = ""
			}
		}
	}
	t.Write(e.Out)
	fmt.Fprint(e.Out, `
NAME_before is that of the draws before the newest change of a setting; there is
one of every setting and of each quantity with a *.

All but lanes and test_data are of a lane: tau(A) < 8 and draws(A) >= 2000.
A goal joins comparisons by and, or, not and brackets; a text shows a number by
{tau(A)}. In a scene that goes on with the session at hand count new_draws(A),
which old draws are not among. What cannot be trusted yet is unknown, and a goal
about it is not reached.
`)
}

func (e *env) lessonTestCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "test [NAME | FILE" + lessonExt + " …]",
		Short: "Play lessons without a screen, and check that their goals can be reached",
		Long: "Play the named lessons without a screen, or all of them. Make each one's moves, and check that they " +
			"reach each goal, that nothing before them does, and that " +
			"what the texts claim holds. A lesson whose data are missing is skipped.",
		Example:           "psgld-tui lesson test\npsgld-tui lesson test ./my-lesson.toml",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeLessons,
	}
	var around surroundings
	around.add(c)
	c.RunE = func(c *cobra.Command, names []string) error {
		var all []*lesson.Lesson
		if len(names) == 0 {
			var err error
			if all, err = lessons(); err != nil {
				return console.Failed(err)
			}
		}
		for _, n := range names {
			l, err := findLesson(n)
			if err != nil {
				return err
			}
			all = append(all, l)
		}
		return e.testLessons(c.Context(), all, around.runtime())
	}
	return c
}

// testLessons plays lessons to their ends, and stops at none that fails. Of more
// than one a table says at the end what came of each.
func (e *env) testLessons(ctx context.Context, all []*lesson.Lesson, rt session.Runtime) error {
	var wrong []error
	t := text.Table{Left: 2}
	t.Add("lesson", "result", "scenes", "seconds")
	skipped := 0
	for _, l := range all {
		r, err := lesson.Play(ctx, l, lesson.PlayOptions{DataDir: rt.DataDir, Threads: rt.Threads})
		if ctx.Err() != nil {
			return console.Interrupted("interrupted")
		}
		for i, s := range r.Scenes {
			text := fmt.Sprintf("%s %d/%d  step %s", l.Name, i+1, len(l.Scenes), plane.Count(s.Steps))
			switch {
			case err != nil && i == len(r.Scenes)-1:
				text += "  failed"
			case len(s.Goals) > 0:
				text += "  goal reached"
			}
			if s.Title != "" {
				text += ": " + s.Title
			}
			e.Out.Line("%s", text)
		}
		result := "passed"
		switch {
		case err != nil:
			wrong, result = append(wrong, err), "failed"
		case r.Skipped != nil:
			skipped++
			result = "skipped"
			e.Out.Line("%s  skipped: %s", l.Name, r.Skipped)
		}
		t.Add(l.Name, result, fmt.Sprintf("%d/%d", len(r.Scenes), len(l.Scenes)), fmt.Sprintf("%.1f", r.Seconds))
	}
	if len(all) > 1 {
		fmt.Fprintln(e.Out)
		t.Write(e.Out)
		fmt.Fprintf(e.Out, "\n%d passed, %d failed, %d skipped\n", len(all)-len(wrong)-skipped, len(wrong), skipped)
	}
	switch len(wrong) {
	case 0:
		return nil
	case 1:
		return console.Failed(wrong[0])
	}
	return console.Failed(fmt.Errorf("%d lessons failed: %w", len(wrong), errors.Join(wrong...)))
}

// lessonText is about lessons in the manual.
func lessonText() string {
	return "A lesson is a TOML file with a name, a title, a caption and 1 to 32 scenes. A scene has, as far as it " +
		"needs them: title; caption, what is to be seen; " +
		"session, the flags of the session with which it begins; view, x_axis, log_x, log_y, linked, speed, lane " +
		"and param, which set the screen; " +
		"question, choices and answer, the number of the right choice; do, what the user is to do; goal, the " +
		"condition that ends the scene; hints; " +
		"reveal, what is said then, with live numbers in braces; moves and claims, with which lesson test checks it.\n\n" +
		"A goal is a condition such as \"tau(A) < 8 and draws(A) >= 2000\". lesson quantities lists what it can be " +
		"about, lesson example prints a file to begin with."
}
