// Package compare is the controller of what a session is held to: a truth that is found beside it, and companions that
// tell the bias of the step.
package compare

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// Compare is the controller.
type Compare struct {
	*control.Desk
	control.Quiet
	control.Unseen
	ctx context.Context // of the program
}

// New makes the controller of a desk. What it has under way ends with ctx.
func New(ctx context.Context, d *control.Desk) *Compare { return &Compare{Desk: d, ctx: ctx} }

// Bindings implements control.Controller.
func (c *Compare) Bindings() []control.Binding {
	const off = "off"
	return []control.Binding{
		{Name: "truth", With: c.truthOf,
			Help: "find the truth by a method without bias, such as hmc or hmc:draws=4000; off takes it away",
			Offer: control.Words(append(state.TruthMethods(), off), func(word string) tea.Cmd {
				do, err := c.truthOf(word)
				if err != nil {
					return c.Say(true, "truth "+err.Error())
				}
				return do()
			}),
			Examples: []string{":truth hmc: hold the lanes to draws of HMC"}},
		control.Of("bias", "companions that tell the bias of the step: on or off", []control.Binding{
			{Name: "on", Help: "tell the bias of the step by companions, which take six gradients a step",
				Do: control.By(c.bias, true)},
			{Name: off, Help: "end the companions that tell the bias", Do: control.By(c.bias, false)},
		}, ":bias on: the bias of the step, without a truth"),
	}
}

// bias turns the companions on or off.
func (c *Compare) bias(on bool) tea.Cmd {
	if c.Feed.Foreseen.Config.Bias == on {
		return c.Say(false, "bias is "+map[bool]string{true: "on", false: "off"}[on])
	}
	return c.Feed.Send(state.SetBias{On: on})
}

// truthOf reads the argument of truth: what --truth takes, with a blank for the colon, or off.
func (c *Compare) truthOf(arg string) (func() tea.Cmd, error) {
	s := c.Feed.Foreseen
	if arg == "off" {
		return func() tea.Cmd { return c.hold(state.SetTruth{}) }, nil
	}
	t, err := grammar.ParseTruth(strings.Replace(arg, " ", ":", 1))
	if err != nil {
		return nil, err
	}
	now := s.State()
	cfg := now.Whole()
	if cfg.Truth = t; c.Outside.Truth == nil {
		return nil, errors.New(cmp.Or(c.Outside.Closed, "cannot be found here"))
	}
	if s.Problem.Exact() != nil {
		return nil, errors.New("of " + s.Problem.Spec + " is known exactly, and the lanes are held to it")
	}
	return func() tea.Cmd { return c.find(cfg) }, cfg.Validate(s.Problem)
}

// hold sends a truth.
func (c *Compare) hold(to state.SetTruth) tea.Cmd {
	if !to.Truth.Wanted() && !c.Feed.Newest.Config.Truth.Wanted() {
		return c.Say(false, "there is no truth that was found")
	}
	return c.Feed.Send(to)
}

// find looks for a truth beside the session.
func (c *Compare) find(cfg state.Config) tea.Cmd {
	p := c.Feed.Foreseen.Problem
	ctx, stop := context.WithCancel(c.ctx)
	cmd := c.Fetch("the truth by "+cfg.Truth.Sampler, func(at *control.Loading) func() tea.Cmd {
		ref, notes, err := c.Outside.Truth(ctx, cfg, p, at)
		return func() tea.Cmd {
			stop()
			fault := (*study.TruthFault)(nil)
			switch now := c.Feed.Foreseen.Problem; {
			case errors.As(err, &fault):
				return c.Say(true, "no truth: "+fault.Error())
			case err != nil:
				return c.Say(true, "no truth: "+err.Error())
			case now.Opened() != p.Opened() || !slices.Equal(now.Values(), p.Values()):
				return c.Say(false, "the truth by "+cfg.Truth.Sampler+" is of the target before")
			}
			send := c.hold(state.SetTruth{Truth: cfg.Truth, Found: ref})
			if len(notes) == 0 {
				return send
			}
			return tea.Batch(send, c.Say(false, strings.Join(notes, "; ")))
		}
	})
	c.Loading.Does, c.Loading.Stop = "finding", stop
	return cmd
}
