package class

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A Leaver is how somebody stood who was here.
type Leaver struct {
	Number int
	Name   string
	For    time.Duration
	Place  *control.Scene // in a lesson; nil for none
	Target string
	Lanes  []engine.LaneResult // their summaries; none where the session has never answered
	// Command makes the session; empty where none does.
	Command string
}

// saysWithin is how long a session may take to say how it stands.
const saysWithin = 5 * time.Second

// stood is how a student stands now, or stood when the session last answered.
func (r *Room) stood(s *Seat) Leaver {
	l := Leaver{Number: s.Number, For: time.Since(s.Since), Place: s.Place()}
	r.locked(func() { l.Name = s.name })
	live := s.session.Load()
	if live == nil {
		return l
	}
	snap := live.Snapshot()
	l.Target = snap.Problem.Spec
	if line, err := grammar.SteeredLine(snap); err == nil {
		l.Command = line
	}
	if live.Ended() {
		l.Lanes = list.Map(live.Result("").Lanes, laneSummary)
		return l
	}
	to := make(chan engine.Saved, 1)
	live.Send(engine.Save{To: to})
	select {
	case saved := <-to:
		l.Lanes = list.Map(saved.Result.Lanes, laneSummary)
	case <-time.After(r.says):
		r.locked(func() { l.Target, l.Lanes, l.Command = s.stood.Target, s.stood.Lanes, s.stood.Command })
		return l
	}
	r.locked(func() { s.stood = l })
	return l
}

// laneSummary tells of a lane that has diverged the ε at which it did, whatever was turned since, and no bias.
func laneSummary(l engine.LaneResult) engine.LaneResult {
	if l.Diverged != nil {
		l.Eps, l.Values[quantity.CovBias] = engine.Num(l.Diverged.Eps), metrics.Withheld(l.Diverged.Status(), 0)
	}
	return l.Summary()
}

// A Summary is what a class leaves behind.
type Summary struct {
	Students []Leaver
	Polls    []Poll
}

// Summary is how everybody stands who is or was here, and what they predicted. It asks each
// session, a few at a time, since each copies its draws.
func (r *Room) Summary() Summary {
	var all []Leaver
	r.locked(func() { all = slices.Clone(r.left) })
	seats := r.Seats()
	now := make([]Leaver, len(seats))
	var asked sync.WaitGroup
	few := make(chan struct{}, 8)
	for i, s := range seats {
		few <- struct{}{}
		asked.Go(func() { now[i] = r.stood(s); <-few })
	}
	asked.Wait()
	all = append(all, now...)
	slices.SortFunc(all, func(a, b Leaver) int { return a.Number - b.Number })
	return Summary{Students: all, Polls: r.Polls()}
}

// rewrite is how much of a class is lost at most that ends without a word.
const rewrite = 30 * time.Second

// keep writes the summary again and again until the class ends.
func (r *Room) keep() {
	for r.ctx.Err() == nil {
		_, _ = r.WriteSummary() // the board says what is wrong
		select {
		case <-time.After(r.rewrite):
		case <-r.ctx.Done():
		}
	}
}

// WriteSummary writes the summary as everybody stands now, and says where.
func (r *Room) WriteSummary() (where string, err error) {
	r.writing.Lock() // so that the newest is written last
	defer r.writing.Unlock()
	where, err = r.Write(r.Summary())
	r.locked(func() { r.told.Unwritten = err })
	return where, err
}

// number writes a number, and nothing where there is none.
func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// shownQuantities are what the summary tells, and the board draws against ε where a lane has them.
var shownQuantities = []quantity.ID{quantity.CovError, quantity.FnError, quantity.MaxACT, quantity.CovBias}

// CSV are two tables by their files' names: the students, a row a lane, and their predictions, a
// row a choice. A number that cannot be trusted is left empty.
func (s Summary) CSV() map[string][]byte {
	students := [][]string{{"student", "name", "minutes", "target", "lesson", "scene", "lane", "sampler",
		"eps", "step"}}
	for _, id := range shownQuantities {
		students[0] = append(students[0], quantity.All[id].Key, quantity.All[id].Key+"_se")
	}
	students[0] = append(students[0], "diverged_at", "digest", "command")
	for _, l := range s.Students {
		lesson, scene := "", ""
		if l.Place != nil {
			lesson, scene = l.Place.Lesson.Name, strconv.Itoa(l.Place.At+1)
		}
		for i := range l.Lanes {
			v := &l.Lanes[i]
			row := []string{strconv.Itoa(l.Number), plainCell(l.Name), number(math.Round(l.For.Minutes()*10) / 10),
				l.Target, lesson, scene, v.Lane, v.Sampler, number(float64(v.Eps)), strconv.FormatUint(v.Steps, 10)}
			for _, id := range shownQuantities {
				e, se := v.Values[id], math.NaN()
				if e.OK() {
					se = e.Error
				}
				row = append(row, number(e.Trusted()), number(se))
			}
			at := ""
			if v.Diverged != nil {
				at = strconv.FormatUint(v.Diverged.Step, 10)
			}
			students = append(students, append(row, at, v.Digest, l.again(v)))
		}
	}
	answers := [][]string{{"lesson", "scene", "question", "choice", "text", "right", "count"}}
	for i := range s.Polls {
		p := &s.Polls[i]
		for k, n := range p.Counts() {
			answers = append(answers,
				[]string{p.At.Lesson.Name, strconv.Itoa(p.At.At + 1), p.At.Question, strconv.Itoa(k + 1),
					p.At.Choices[k], strconv.FormatBool(k == p.At.Answer), strconv.Itoa(n)})
		}
	}
	files := map[string][]byte{}
	for name, rows := range map[string][][]string{"students.csv": students, "answers.csv": answers} {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		_ = w.WriteAll(rows) // a buffer takes all
		files[name] = b.Bytes()
	}
	return files
}

// markdown has what Markdown would read in a text.
var markdown = regexp.MustCompile("[\\\\`*_{}\\[\\]()#!|&]")

func cell(text string) string {
	return strings.ReplaceAll(markdown.ReplaceAllString(text, `\$0`), "<", "&lt;")
}

// plainCell is a text that no spreadsheet takes for a formula.
func plainCell(text string) string {
	if strings.ContainsAny(text[:min(1, len(text))], "=+-@") {
		return "'" + text
	}
	return text
}

// again is the command that makes a session up to where a lane stood.
func (l *Leaver) again(lane *engine.LaneResult) string {
	rest, ok := strings.CutPrefix(l.Command, grammar.Program+" ")
	if !ok && l.Command != grammar.Program {
		return l.Command
	}
	return strings.TrimSpace(grammar.Program+" run "+rest) + fmt.Sprintf(" --steps %d", lane.Steps)
}

// Markdown is the summary for a person to read.
func (s Summary) Markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# A class of %d\n", len(s.Students))
	for i := range s.Polls {
		p := &s.Polls[i]
		fmt.Fprintf(&b, "\n## %s, scene %d\n\n%s\n\n| | | predicted by |\n|---|---|---|\n", p.At.Lesson.Title,
			p.At.At+1, p.At.Question)
		for k, n := range p.Counts() {
			text := cell(p.At.Choices[k])
			if k == p.At.Answer {
				text = "**" + text + "**"
			}
			fmt.Fprintf(&b, "| %d | %s | %d |\n", k+1, text, n)
		}
		fmt.Fprintf(&b, "\n%d predicted.\n", len(p.Choice))
		if len(p.At.Numbers) > 0 {
			fmt.Fprintf(&b, "\nThe lecturer's numbers: %s.\n", strings.Join(p.At.Numbers, ", "))
		}
	}
	b.WriteString("\n## Where the students stood\n\n| student | lane | sampler | ε | steps |")
	for _, id := range shownQuantities {
		b.WriteString(" " + quantity.All[id].Symbol + " |")
	}
	b.WriteString(" digest |\n|---|---|---|---|---|" + strings.Repeat("---|", len(shownQuantities)+1) + "\n")
	var commands strings.Builder
	for _, l := range s.Students {
		who := fmt.Sprintf("%02d", l.Number)
		if l.Name != "" {
			who += " " + cell(l.Name)
		}
		for i := range l.Lanes {
			v := &l.Lanes[i]
			step := plane.Commas(v.Steps)
			if v.Diverged != nil {
				step = "diverged at " + plane.Commas(v.Diverged.Step)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |", who, v.Lane, v.Sampler, plane.Number(float64(v.Eps), 7), step)
			for _, id := range shownQuantities {
				text := ""
				if e := v.Values[id]; e.OK() {
					text = plane.Number(e.Value, 7)
				}
				b.WriteString(" " + text + " |")
			}
			fmt.Fprintf(&b, " %s |\n", v.Digest)
		}
		for i := range l.Lanes { // those that stood elsewhere have a line of their own
			v := &l.Lanes[i]
			stood := func(o engine.LaneResult) bool { return o.Steps == v.Steps }
			if line := l.again(v); line != "" && slices.IndexFunc(l.Lanes, stood) == i {
				fmt.Fprintf(&commands, "%s\n", line)
			}
		}
	}
	if commands.Len() > 0 {
		b.WriteString("\nEach session again, digit for digit, to where it stood, or where each of its lanes did:\n\n```\n" +
			commands.String() + "```\n")
	}
	return b.Bytes()
}

// Files are all of it by their files' names.
func (s Summary) Files() map[string][]byte {
	files := s.CSV()
	files["summary.md"] = s.Markdown()
	return files
}
