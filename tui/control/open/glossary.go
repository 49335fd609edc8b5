package open

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/record"
)

// A term is a word of the screen and what it means.
type term struct {
	word  string
	forms []string // how else it is written
	doc   string
}

// glossary lists the words of the panes that not everybody knows: the quantities of the
// table, and others.
func glossary() []term {
	return append(measured(), []term{
		{word: "too short", doc: "fewer than 150 τ draws: the number would mislead. After ≈ it is shown all the same"},
		{word: "window", doc: "the draws since the newest change of a setting, which the estimates are of"},
		{word: "before and after", doc: "the estimates of the window before the newest change, and of the one since"},
		{word: "autocorrelation", doc: "the correlation of draws that are so many draws apart: the faster it falls, the better the chain mixes"},
		{word: "ranks", doc: "how many of a chain's draws have which rank among those of all chains: bars of half the height where the chains agree"},
		{word: "2σ", doc: "the ellipse that holds 86 % of a normal density of that covariance: the target's (true) and that of the draws"},
		{word: "next step", doc: "how far noise alone takes the next step, √(TεG) in each direction"},
		{word: "discrepancy", doc: "kernel Stein discrepancy of up to 1,000 of the newest draws from the target, by its gradient: in place, spread and shape, but for modes that no draw is near"},
		{word: "exact draws", doc: "the band in which as many independent draws of the target itself lie in 90 % of cases, by a wild bootstrap"},
		{word: "true", doc: "of the target itself, computed exactly or found by a long run of HMC"},
		{word: "log density", doc: "of the newest draw, up to a constant"},
		{word: "range of G", doc: "the smallest and the largest entry of the newest step's preconditioner; 1 for SGLD"},
		{word: "h", doc: "εN/2, the step per mean gradient: what others call the learning rate"},
		{word: "lockstep", doc: "all lanes take the same number of steps; m lets them race by the clock"},
		{word: "burn-in", doc: "the first steps, which are not counted"},
		{word: differ, doc: "beside a parameter: the lanes have different values of it"},
		{word: "averaged", doc: "the probabilities averaged over the kept draws, which is what a sampler predicts with"},
		{word: "newest", forms: []string{"newest draw"}, doc: "the newest draw alone, as an optimiser would predict"},
		{word: "calibration", doc: "of what is predicted with a probability p, a share p should be right: the dashed line"},
		{word: "apart", doc: "how far the lanes' probabilities differ, half the sum over the classes: 0 the same, 1 altogether different"},
		{word: "H", forms: []string{"entropy H, nats"}, doc: "entropy of the averaged probabilities in nats: all of the uncertainty"},
		{word: "I", forms: []string{"mutual information I"}, doc: "mutual information of label and weights: the part of H on which the draws disagree"},
		{word: "±", doc: "beside a mean its standard error; beside a probability its spread over the draws, the light part of its bar"},
		{word: "live", doc: "the value that the session runs with"},
		{word: "race", doc: "which lane is worth more independent draws for the same time, or for the same number of gradients"},
	}...)
}

// measured are the terms of the quantities, but for plain counts and clocks.
func measured() (all []term) {
	add := func(q *quantity.Quantity) {
		t := term{word: q.Symbol, doc: q.Doc}
		if q.Name != q.Symbol {
			t.forms = []string{q.Name}
		}
		if q.Note != "" {
			t.doc += "; " + q.Note
		}
		all = append(all, t)
	}
	for i := range quantity.All {
		if q := &quantity.All[i]; q.Basis != quantity.Always || q.Form != quantity.Count && !q.Timed {
			add(q)
		}
	}
	add(&quantity.Coordinates[quantity.ACT])
	add(&quantity.Coordinates[quantity.ESS])
	add(&quantity.Coordinates[quantity.RHat])
	add(&quantity.Coordinates[quantity.StepBiasVar])
	return all
}

// differ is the sign of the strip for what the lanes do not share.
const differ = "≠"

// spelled is the term as it stands on a screen of ASCII.
func (t term) spelled() term {
	if t.word == differ {
		t.word = "!" // as the strip has it
	}
	t.word, t.forms = plane.ASCII(t.word), slices.Clone(t.forms)
	for i, f := range t.forms {
		t.forms[i] = plane.ASCII(f)
	}
	return t
}

// in reports whether a text has the term in it, as a word of its own.
func (t *term) in(text string) bool {
	for _, word := range append([]string{t.word}, t.forms...) {
		for rest := text; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				break
			}
			before, _ := utf8.DecodeLastRuneInString(rest[:i])
			after, _ := utf8.DecodeRuneInString(rest[i+len(word):])
			first, _ := utf8.DecodeRuneInString(word)
			if !unicode.IsLetter(first) || !unicode.IsLetter(before) && !unicode.IsLetter(after) {
				return true
			}
			rest = rest[i+len(word):]
		}
	}
	return false
}

// meaningWidth is the room for what a word means, so that it fits a screen of 80.
const meaningWidth = 57

// openWords explains the words of the focused pane, or of the whole screen.
func (c *Open) openWords() tea.Cmd {
	title, lines := c.words()
	c.Dirty = true
	if lines == nil {
		return c.Say(false, "this pane has no word that needs explaining; esc leaves it, for those of the screen")
	}
	return c.Desk.Open(dialog.NewReading(c.Desk, wordsName, dialog.Sheet{Title: title, Lines: lines}))
}

// words explains the words that the screen shows, or its focused pane.
func (c *Open) words() (title string, lines []control.Line) {
	c.Redraw() // as it is without this
	g := record.Of(c.Plane)
	g = g.Crop(plane.Rect{W: g.W, H: g.H - 1}) // keys are no words
	title = "words of the screen"
	p, focused := c.Panes.Find(c.Focus.Pane)
	if focused = focused && c.Focus.Pane != "" && !p.Rect.Empty(); focused {
		g, title = g.Crop(p.Rect), "words of the pane"
	}
	var all strings.Builder
	for y := range g.H {
		for x := range g.W {
			all.WriteString(g.At(x, y).Text)
		}
		all.WriteByte('\n')
	}
	shown := all.String()
	listed := map[string]bool{}
	add := func(word, meaning string) {
		if listed[word] {
			return
		}
		listed[word] = true
		for _, line := range plane.Wrap(meaning, meaningWidth) {
			lines = append(lines, control.Line{Keys: word, First: word, Help: line})
			word = " "
		}
	}
	for _, t := range glossary() {
		if c.Theme.ASCII {
			t = t.spelled()
		}
		if t.in(shown) {
			add(t.word, t.doc)
		}
	}
	if !focused {
		for _, q := range c.Params() {
			add(q.Symbol, q.Doc+": "+q.Allowed())
		}
	}
	return title, lines
}

// openHelp lists the keys: those that are used every minute and those of the view, then all,
// then the words of the screen.
func (c *Open) openHelp() tea.Cmd {
	title, words := c.words()
	short := control.ShortLines(c.Desk.Bindings, "View "+strconv.Itoa(c.Focus.View+1)+", "+strings.ToLower(c.Views[c.Focus.View]))
	sheets := []dialog.Sheet{{Title: "keys", Leads: "keys", Lines: short}, {Title: "all keys", Leads: "all keys", Lines: control.Lines(c.Desk.Bindings)}}
	if words != nil {
		sheets = append(sheets, dialog.Sheet{Title: title, Leads: "words", Lines: words})
	}
	return c.Desk.Open(dialog.NewReading(c.Desk, helpName, sheets...))
}
