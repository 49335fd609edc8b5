package steer

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/control"
)

// paramCommands set the parameters of the focused lane by their keys.
func (c *Steer) paramCommands() []control.Binding {
	var all []control.Binding
	for _, p := range c.Params() {
		all = append(all, control.Binding{Name: p.Key, Help: p.Doc + ": " + p.Allowed(), With: func(arg string) (func() tea.Cmd, error) {
			x, err := c.parseParam(p, arg)
			return func() tea.Cmd {
				c.Focus.Param = p.Key
				return c.setParam(p, x)
			}, err
		}})
	}
	return all
}

func whole(arg string) (uint64, error) {
	n, err := strconv.ParseUint(arg, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("must be a whole number, got %q", arg)
	}
	return n, nil
}

func (c *Steer) parseLR(arg string) (func() tea.Cmd, error) {
	h, err := strconv.ParseFloat(arg, 64)
	if err != nil || !(h > 0) || math.IsInf(h, 0) {
		return nil, fmt.Errorf("must be positive, got %q", arg)
	}
	for _, p := range c.Params() {
		if p.Key == sampler.KeyEps {
			eps := engine.EpsOfLR(h, c.Feed.Shown.Problem.N())
			return func() tea.Cmd { return c.setParam(p, eps) }, p.Check(eps)
		}
	}
	return nil, errors.New("needs a sampler with a step size")
}

// parseSchedule also sets the ε at step 0 that "poly" states.
func (c *Steer) parseSchedule(arg string) (func() tea.Cmd, error) {
	sch, first, err := sampler.ParseSchedule(arg)
	if err != nil {
		return nil, err
	}
	if sch.Epochs && !c.Feed.Shown.Problem.HasData() {
		return nil, errors.New("in epochs needs a target with data")
	}
	return func() tea.Cmd {
		var set tea.Cmd
		for _, p := range c.Params() {
			if p.Key == sampler.KeyEps && first > 0 {
				set = c.setParam(p, first)
			}
		}
		return tea.Batch(set, c.Feed.Send(engine.SetSchedule{Lane: c.Focus.Target(c.Feed.Shown), Schedule: sch}, nil))
	}, nil
}

func (c *Steer) parseSpeed(arg string) (func() tea.Cmd, error) {
	if strings.EqualFold(arg, "full") {
		return func() tea.Cmd { return c.setSpeed(0) }, nil
	}
	v, err := strconv.ParseFloat(arg, 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) {
		return nil, fmt.Errorf("must be positive or full, got %q", arg)
	}
	return func() tea.Cmd { return c.setSpeed(v) }, nil
}

func (c *Steer) parseBack(arg string) (func() tea.Cmd, error) {
	steps, rest, _ := strings.Cut(arg, " ")
	n, err := whole(steps)
	factor := 1.0
	if rest = strings.TrimSpace(rest); rest != "" && err == nil {
		if factor, err = strconv.ParseFloat(rest, 64); err != nil || !(factor > 0) || math.IsInf(factor, 0) {
			err = fmt.Errorf("needs a positive factor, got %q", rest)
		}
	}
	return func() tea.Cmd { return c.rewind(n, factor) }, err
}
