// Package compare is the controller of what a session is held to: a truth that is found beside it, and companions that
// tell the bias of the step, and saved sessions behind it.
package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
)

// off takes away what a command has brought. At most mostBehind sessions are shown behind one.
const off, mostBehind = "off", 4

// Compare is the controller.
type Compare struct {
	*control.Desk
	control.Quiet
	control.Unseen
	ctx context.Context // of the program
}

// New makes the controller of a desk. What it has under way ends with ctx.
func New(ctx context.Context, d *control.Desk) *Compare { return &Compare{Desk: d, ctx: ctx} }

func (c *Compare) Bindings() []control.Binding {
	return []control.Binding{
		{Name: "truth", With: c.truthOf,
			Help:     "find the truth by a method without bias, such as hmc or hmc:draws=4000; off takes it away",
			Offer:    c.offer("truth", append(state.TruthMethods(), off), c.truthOf),
			Examples: []string{":truth hmc: hold the lanes to draws of HMC"}},
		{Name: "compare", With: c.filesOf, Offer: c.savedOnes,
			Help:     "show saved sessions, or draws in files, behind this one, up to four, as pale curves; off takes them away",
			Examples: []string{":compare F: a saved session or draws, pale"}},
		control.Of("bias", "companions that tell the bias of the step: on or off", []control.Binding{
			{Name: "on", Help: "tell the bias of the step by companions, which take six gradients a step",
				Do: control.By(c.Feed.Send, state.Command(state.SetBias{On: true}))},
			{Name: off, Help: "end the companions that tell the bias",
				Do: control.By(c.Feed.Send, state.Command(state.SetBias{}))},
		}, ":bias on: the bias of the step, without a truth"),
	}
}

func (c *Compare) filesOf(arg string) (func() tea.Cmd, error) {
	files := strings.Fields(arg)
	switch {
	case arg == off:
		return func() tea.Cmd { c.Behind = nil; return c.Say(false, "no session is behind this one") }, nil
	case c.Outside.Replay == nil:
		return nil, errors.New(cmp.Or(c.Outside.Closed, "cannot replay anything here"))
	case len(files) == 0 || len(files) > mostBehind:
		return nil, fmt.Errorf("must be one to %d files of saved sessions or draws, or off", mostBehind)
	}
	return func() tea.Cmd { return c.replay(files) }, nil
}

// savedOnes offers the sessions that were written here.
func (c *Compare) savedOnes() []control.Choice {
	words := []string{off}
	if c.Outside.Sessions != nil {
		words = append(list.Map(c.Outside.Sessions(), func(s control.Saved) string { return s.Path }), off)
	}
	return c.offer("compare", words, c.filesOf)()
}

// offer offers words as arguments. Those that with refuses cannot be taken, and say why.
func (c *Compare) offer(name string, words []string,
	with func(string) (func() tea.Cmd, error)) func() []control.Choice {
	return func() []control.Choice {
		return list.Map(words, func(word string) control.Choice {
			do, err := with(word)
			if err != nil {
				return control.Choice{Name: word, Why: name + " " + strings.TrimPrefix(err.Error(), name+" ")}
			}
			return control.Choice{Name: word, Take: do}
		})
	}
}

// replay plays recordings beside the session, one after the other, and shows their ends behind it.
func (c *Compare) replay(files []string) tea.Cmd {
	of := c.Feed.Foreseen.Problem
	ctx, stop := context.WithCancel(c.ctx)
	cmd := c.Fetch(strings.Join(files, ", "), func(at *control.Loading) func() tea.Cmd {
		defer stop()
		var all []*engine.Snapshot
		said := "behind, pale:"
		for i, file := range files {
			s, err := c.Outside.Replay(ctx, file, of, at)
			if err == nil && s.Problem.Spec != of.Spec {
				err = fmt.Errorf("%s is of another target, %s", file, s.Problem.Spec)
			}
			if err != nil {
				return func() tea.Cmd { return c.Say(true, err.Error()) }
			}
			all, said = append(all, s), fmt.Sprintf("%s %d %s,", said, i+1, file)
			if s.Tape.At < s.Tape.End {
				said = fmt.Sprintf("%s as far as step %s,", said[:len(said)-1], plane.Count(s.Lanes[0].Step))
			}
		}
		return func() tea.Cmd {
			c.Behind = all
			return c.Say(false, said[:len(said)-1]+"; :compare off takes them away")
		}
	})
	c.Loading.Does, c.Loading.Stop = "replaying", stop
	return cmd
}

// truthOf reads the argument of truth: what --truth takes, with a blank for the colon, or off.
func (c *Compare) truthOf(arg string) (func() tea.Cmd, error) {
	s := c.Feed.Foreseen
	if arg == "off" {
		return control.By(c.Feed.Send, state.Command(state.SetTruth{})), nil
	}
	if c.Outside.Truth == nil {
		return nil, errors.New(cmp.Or(c.Outside.Closed, "cannot be found here"))
	}
	t, err := grammar.ParseTruth(strings.Replace(arg, " ", ":", 1))
	if err != nil {
		return nil, err
	}
	now := s.State()
	cfg := now.Whole()
	cfg.Truth = t
	if s.Problem.Exact() != nil {
		return nil, errors.New("of " + s.Problem.Spec + " is known exactly, and the lanes are held to it")
	}
	return func() tea.Cmd { return c.find(cfg) }, cfg.Validate(s.Problem)
}

// find looks for a truth beside the session.
func (c *Compare) find(cfg state.Config) tea.Cmd {
	p := c.Feed.Foreseen.Problem
	ctx, stop := context.WithCancel(c.ctx)
	cmd := c.Fetch("the truth by "+cfg.Truth.By(), func(at *control.Loading) func() tea.Cmd {
		ref, notes, err := c.Outside.Truth(ctx, cfg, p, at)
		return func() tea.Cmd {
			stop()
			switch now := c.Feed.Foreseen.Problem; {
			case err != nil:
				return c.Say(true, "no truth: "+err.Error())
			case now.Opened() != p.Opened() || now.Spec != p.Spec:
				return c.Say(false, "the truth by "+cfg.Truth.By()+" is of the target before")
			}
			send := c.Feed.Send(state.SetTruth{Truth: cfg.Truth, Found: ref})
			if len(notes) == 0 {
				return send
			}
			return tea.Batch(send, c.Say(false, strings.Join(notes, "; ")))
		}
	})
	c.Loading.Does, c.Loading.Stop = "finding", stop
	return cmd
}
