// Package choose is the controller that chooses what is sampled and by what: a target of the list, a formula or a
// model, and the lanes with their samplers.
package choose

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Choose is the controller.
type Choose struct {
	control.Unseen
	*control.Desk
	dataDir string
	refused map[string]string // why a target could not be opened
	// set is the serial of the newest command that chooses a target, 0 once what came of it is told.
	set uint64
}

// New makes the controller of a desk. Data of targets lie in dataDir.
func New(d *control.Desk, dataDir string) *Choose {
	return &Choose{Desk: d, dataDir: dataDir, refused: map[string]string{}}
}

func (c *Choose) Bindings() []control.Binding {
	return control.In(control.Lanes, nil, []control.Binding{
		c.adding(),
		{Name: "remove", Keys: "x", Help: "remove the focused lane", Do: c.removeLane},
		{Name: "target", Page: control.TenKeys, Keys: "t", Help: "choose the target: what is sampled", Hint: "target",
			Rank: 7, Do: c.pickTarget, With: func(arg string) (func() tea.Cmd, error) {
				return func() tea.Cmd { return c.open(arg) }, nil
			}, Examples: []string{":target banana: any target, by its name"}},
		c.choosingSampler(),
	})
}

func (c *Choose) Update(msg tea.Msg) (tea.Cmd, bool) {
	if msg, ok := msg.(control.SnapshotMsg); ok {
		return c.replaced(msg.Before), true
	}
	return nil, false
}

// pickTarget opens the list of targets. A target that is not on it, such as a file, can be typed.
func (c *Choose) pickTarget() tea.Cmd {
	all := list.Flat(targets.Families(), func(f targets.Family) []control.Choice {
		return list.Map(f.Examples, func(spec string) control.Choice { return c.targetChoice(f, spec) })
	})
	f, _ := family(targets.FormulaPrefix + "x")
	all = append(all, control.Choice{
		Name: "formula…", Note: "type a log density", Detail: aboutFamily(f),
		Take: func() tea.Cmd { return c.pickFormula() },
	})
	model, _ := family(targets.ModelPrefix + "x")
	all = append(all, control.Choice{
		Name: "model…", Note: "a command that is asked for gradients", Detail: aboutFamily(model),
		Take: func() tea.Cmd { return c.pickModel() },
	})
	chooser := dialog.NewChooser(c.Desk, "target", all)
	chooser.Typed = func(text string) []control.Choice {
		if f, ok := family(text); ok {
			return []control.Choice{c.targetChoice(f, text)}
		}
		return nil
	}
	chooser.Select(c.Feed.Foreseen.Config.Target)
	return c.Open(chooser)
}

// textbook are formulas to begin with: Rosenbrock's valley, a ring, two modes and heavy tails.
var textbook = []string{
	"-(1-x)^2 - b*(y-x^2)^2;b=5",
	"-(sqrt(x^2+y^2)-r)^2/(2*s^2);r=3;s=0.5",
	"logsumexp(normal(x,-m,1), normal(x,m,1)) + normal(y,0,1);m=2",
	"student_t(x,k,0,1) + student_t(y,k,x,1);k=3",
}

// pickFormula opens a line for a log density, with those that were sampled last below it. What
// is wrong with it stands there while it is typed.
func (c *Choose) pickFormula() tea.Cmd {
	f, _ := family(targets.FormulaPrefix + "x")
	choice := func(text string) control.Choice {
		spec, detail := targets.FormulaPrefix+text, aboutFamily(f)
		calls := strings.Join(list.Map(formula.Functions(), func(f formula.Function) string { return f.Call }), " ")
		detail = append(detail, control.Paragraph{Text: calls, Rows: 5})
		ch := control.Choice{Name: printable.Line(text), Detail: detail, Why: c.refused[spec],
			Take: func() tea.Cmd { return c.open(spec) }}
		if err := targets.CheckFormula(text); err != nil {
			ch.Why, ch.Take = err.Error(), nil
		}
		return ch
	}
	all := list.Map(list.Distinct(append(slices.Clip(c.Settings.Formulas), textbook...)), choice)
	chooser := dialog.NewChooser(c.Desk, "formula", all)
	chooser.Prompt = "log p = "
	chooser.Typed = func(text string) []control.Choice { return []control.Choice{choice(text)} }
	return c.Open(chooser)
}

// models are the commands of the examples beside package child.
var models = []string{"python3 numpy_model.py", "python3 torch_model.py", "Rscript model.R"}

// protocol says where it is written what a command is asked and answers.
var protocol = control.Paragraph{
	Text: "What it is asked, and three examples: targets/child in the source of psgld-tui.",
	Rows: 2,
}

// pickModel opens a line for the command of a model, with those that were sampled last below it,
// and examples before there are any.
// Who types a command means it to start. One that is pasted or remembered is asked for.
func (c *Choose) pickModel() tea.Cmd {
	f, _ := family(targets.ModelPrefix + "x")
	last := c.Settings.Models
	chooser := dialog.NewChooser(c.Desk, "model", nil)
	choice := func(command string, typed bool) control.Choice {
		spec := targets.ModelPrefix + command
		return control.Choice{Name: dialog.Visible(command), Fill: command,
			Detail: []control.Paragraph{{Text: f.Doc, Rows: 2}, protocol}, Why: c.refused[spec], Take: func() tea.Cmd {
				if typed && !chooser.Filter.Pasted && c.Outside.Commands != nil {
					c.Outside.Commands.Allow(command)
				}
				return c.open(spec)
			}}
	}
	chooser.All = list.Map(last, func(command string) control.Choice { return choice(command, false) })
	if len(last) == 0 {
		for _, command := range models {
			ch := choice(command, false)
			ch.Why, ch.Take = "an example; type the command of your own", nil
			chooser.All = append(chooser.All, ch)
		}
	}
	chooser.Prompt = "$"
	chooser.Typed = func(text string) []control.Choice { return []control.Choice{choice(text, true)} }
	return c.Open(chooser)
}

// targetChoice is a target of a family in the list. Its note begins with what is missing of its data.
func (c *Choose) targetChoice(f targets.Family, spec string) control.Choice {
	note := f.Doc
	set := targets.Absent(spec,
		targets.Options{DataDir: c.dataDir, Dataset: c.Feed.Foreseen.Config.Dataset, Closed: c.Outside.Closed})
	if set != "" {
		note = "not here: data fetch " + set + "; " + f.Doc
		if f.Images {
			note = "on strokes; " + note
		}
	}
	ch := control.Choice{
		Name: spec, Note: note, Detail: aboutFamily(f), Why: c.refused[spec],
		Take: func() tea.Cmd { return c.open(spec) },
	}
	if text, ok := targets.Formula(spec); ok {
		if err := targets.CheckFormula(text); err != nil { // the list stays, with what was typed
			ch.Why, ch.Take = err.Error(), nil
		}
	}
	return ch
}

// aboutFamily is what is said of a target in the list.
func aboutFamily(f targets.Family) []control.Paragraph {
	return []control.Paragraph{{Text: f.Doc, Rows: 2}, {Text: f.Usage, Rows: 1}}
}

// family finds the family of a typed target with settings.
func family(text string) (targets.Family, bool) {
	return list.Find(targets.Families(), func(f targets.Family) bool {
		return strings.HasPrefix(text, f.Name+":") && text != f.Name+":"
	})
}

// open opens a target. The newest one asked for wins.
func (c *Choose) open(spec string) tea.Cmd {
	cfg := c.Feed.Foreseen.Config
	cfg.Target = spec
	with := c.Outside.TargetOptions(c.dataDir)
	return c.Fetch(spec, func(at *control.Loading) func() tea.Cmd {
		p, err := at.Target(cfg, with)
		return func() tea.Cmd { return c.opened(spec, p, err) }
	})
}

func (c *Choose) opened(spec string, p *targets.Problem, err error) tea.Cmd {
	if cmd, asks := dialog.Permit(c.Desk, err, func() tea.Cmd { return c.open(spec) }, nil); asks {
		return cmd
	}
	if err != nil {
		c.refused[spec] = err.Error()
		return c.Say(true, err.Error())
	}
	delete(c.refused, spec)
	if text, ok := targets.Formula(p.Spec); ok {
		control.Remember(&c.Settings.Formulas, text)
	} else if command, ok := targets.Command(p.Spec); ok {
		control.Remember(&c.Settings.Models, command)
	}
	c.Notices.Clear()
	cmd := c.Feed.Send(state.SetTarget{Target: p.Spec, Problem: p})
	c.set = c.Feed.Sent
	return cmd
}

// replaced says how another target's predecessor comes back, once there is another.
func (c *Choose) replaced(before *engine.Snapshot) tea.Cmd {
	s := c.Feed.Newest
	if c.set == 0 || s.Applied < c.set {
		return nil
	}
	c.set = 0
	if s.Notice.Err() != nil || before.Problem == s.Problem || s.Tape.At == 0 {
		return nil
	}
	return c.Say(false, wording.Notice(s.Notice)+"; "+c.Keys.BackHint("undo", "target"))
}
