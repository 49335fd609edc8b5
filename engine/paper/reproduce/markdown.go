package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// verdictRule explains the word beside a score, once in a report.
const verdictRule = "A number of ours is a **tie** with the paper's if |ours − paper| ≤ 2 √(se² + test²): se is the standard error of ours over the seeds (0 with one seed, " +
	"where what seeds differ by is not known) and test the binomial standard error of the test set at our error, √(p(1 − p)/n). Else it is **better** or **worse**; lower is better. " +
	"± is one standard error over the seeds. A number that is not there or cannot be trusted is –."

// markdown is report.md.
func (d Document) markdown() []byte {
	var b strings.Builder
	b.WriteString("# The paper, reproduced\n\n")
	b.WriteString("Preconditioned Stochastic Gradient Langevin Dynamics for Deep Neural Networks (Li, Chen, Carlson and Carin, AAAI 2016): its tables and figures, and what its theory says, beside what this program measures.\n\n")
	fmt.Fprintf(&b, "- program: %s\n- machine: %s\n- command: %s\n\n", inlineMD(d.Version), inlineMD(d.Machine), codeMD(d.Command))
	if slices.ContainsFunc(d.Sections, func(s Section) bool { return s.Options.Scale == paper.Quick }) {
		b.WriteString("> **Quick scale.** The sections marked *quick* have smaller networks or fewer epochs, draws or repeats than the paper. They show that everything runs, not what the paper's protocol comes to.\n\n")
	}
	b.WriteString("## Summary\n\n")
	rows := make([][]string, 0, len(d.Sections))
	for _, s := range d.Sections {
		rows = append(rows, s.summary())
	}
	writeMD(&b, []string{"experiment", "reading", "scale", "sessions", "seconds", "beside the paper"}, rows, func(c int) bool { return c == 3 || c == 4 })
	b.WriteString("\n*paper* is the protocol of the paper's text, *authors* that of its authors' released code. Seconds are those of all sessions added, with evaluation.\n\n")
	b.WriteString(verdictRule + "\n")
	for _, s := range d.Sections {
		s.markdown(&b)
	}
	return []byte(b.String())
}

// heading is the section's title as it stands in its heading.
func (s Section) heading() string {
	h := s.Experiment.ID + ": " + s.Experiment.Title + " (" + string(s.Options.Reading)
	if s.Options.Scale == paper.Quick {
		h += ", quick"
	}
	return h + ")"
}

// summary is the section's row of the first table.
func (s Section) summary() []string {
	done, skipped, seconds := s.sessions()
	sessions := strconv.Itoa(done)
	if done != len(s.Jobs) {
		sessions = fmt.Sprintf("%d of %d", done, len(s.Jobs))
	}
	if skipped > 0 {
		sessions += fmt.Sprintf(", %d skipped", skipped)
	}
	link := "[" + inlineMD(s.Experiment.ID) + "](#" + anchorMD(s.heading()) + ")"
	return []string{link, string(s.Options.Reading), string(s.Options.Scale), sessions, secondsText(seconds), s.tally()}
}

// tally counts verdicts, such as "3 tie, 1 worse".
func (s Section) tally() string {
	n := s.verdicts()
	var words []string
	for _, v := range []string{claim.Tie, claim.Better, claim.Worse} {
		if n[v] > 0 {
			words = append(words, fmt.Sprintf("%d %s", n[v], v))
		}
	}
	if words == nil {
		return claim.NoNumber
	}
	return strings.Join(words, ", ")
}

func (s Section) markdown(b *strings.Builder) {
	e, o := s.Experiment, s.Options
	scale := string(o.Scale)
	if o.Scale == paper.Quick {
		scale = "**quick**, not the paper's numbers"
	}
	fmt.Fprintf(b, "\n## %s\n\nSource: %s.\n\nProtocol: %s\n\nScale: %s. %s\n", inlineMD(s.heading()), inlineMD(e.Source), inlineMD(e.Protocol(o)), scale, s.seedText())
	if len(s.Report.Findings) > 0 {
		b.WriteString("\n")
		for _, f := range s.Report.Findings {
			fmt.Fprintf(b, "- %s\n", inlineMD(f))
		}
	}
	for _, t := range s.Report.Tables {
		tableMarkdown(b, t)
	}
	for i, f := range s.Report.Figures {
		name := "figures/" + s.figureName(i)
		fmt.Fprintf(b, "\n[![%s](%s.png)](%s.svg)\n", inlineMD(f.Title), name, name)
	}
	s.sessionsMarkdown(b)
}

// seedText says which seeds the section's sessions have.
func (s Section) seedText() string {
	var seeds []uint64
	for _, j := range s.Jobs {
		seeds = append(seeds, j.Config.Seed)
	}
	slices.Sort(seeds)
	seeds = slices.Compact(seeds)
	switch n := len(seeds); {
	case n == 0:
		return fmt.Sprintf("Seed: %d.", s.Options.Seed)
	case n == 1:
		return fmt.Sprintf("Seed: %d.", seeds[0])
	case seeds[n-1]-seeds[0] == uint64(n-1):
		return fmt.Sprintf("Seeds: %d to %d.", seeds[0], seeds[n-1])
	}
	return "Seeds: " + strings.ReplaceAll(strings.Trim(fmt.Sprint(seeds), "[]"), " ", ", ") + "."
}

func tableMarkdown(b *strings.Builder, t paper.Table) {
	fmt.Fprintf(b, "\n**%s**\n\n", inlineMD(t.Title))
	escaped := func(cells []string) []string {
		all := make([]string, len(cells))
		for i, c := range cells {
			all[i] = inlineMD(c)
		}
		return all
	}
	rows := make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = escaped(r)
	}
	writeMD(b, escaped(t.Head), rows, func(c int) bool { return numericColumn(t.Rows, c) })
}

// sessionsMarkdown is the folded list of the section's sessions.
func (s Section) sessionsMarkdown(b *strings.Builder) {
	if len(s.Jobs) == 0 {
		return
	}
	done, _, seconds := s.sessions()
	fmt.Fprintf(b, "\n<details>\n<summary>%d of %d sessions, %s s: the command that gives each one's digits, and its digests</summary>\n\n", done, len(s.Jobs), secondsText(seconds))
	for _, j := range s.Jobs {
		o, ok := s.Outcomes[j.ID]
		fmt.Fprintf(b, "- **%s**", inlineMD(j.ID))
		switch {
		case !ok:
			b.WriteString(": not run\n")
			continue
		case o.Skipped != "":
			fmt.Fprintf(b, ": skipped: %s\n", inlineMD(o.Skipped))
			continue
		}
		fmt.Fprintf(b, ", %s s", secondsText(o.Seconds))
		for _, l := range o.Lanes {
			fmt.Fprintf(b, ", %s %s", inlineMD(l.Sampler), codeMD(l.Digest))
			if l.Diverged != nil {
				fmt.Fprintf(b, " (diverged at step %d: %s)", l.Diverged.Step, inlineMD(l.Diverged.Reason()))
			}
		}
		if o.Command != "" {
			fmt.Fprintf(b, "  \n  %s", codeMD(o.Command))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n</details>\n")
}

// secondsText writes a time with three digits or so.
func secondsText(s float64) string {
	switch {
	case math.IsNaN(s) || math.IsInf(s, 0):
		return claim.NoNumber
	case s < 9.995:
		return strconv.FormatFloat(s, 'f', 2, 64)
	case s < 99.95:
		return strconv.FormatFloat(s, 'f', 1, 64)
	}
	return strconv.FormatFloat(s, 'f', 0, 64)
}

// writeMD writes a table of cells that are Markdown already.
func writeMD(b *strings.Builder, head []string, rows [][]string, right func(column int) bool) {
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	for c := range head {
		if right(c) {
			b.WriteString("|---:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, r := range rows {
		line(r)
	}
}

// numericColumn reports whether every cell of a column begins like a number, or is
// empty or none.
func numericColumn(rows [][]string, c int) bool {
	any := false
	for _, r := range rows {
		if r[c] == "" || r[c] == claim.NoNumber {
			continue
		}
		first := rune(r[c][0])
		if !unicode.IsDigit(first) && (first != '-' && first != '+' && first != '.' || len(r[c]) < 2 || !unicode.IsDigit(rune(r[c][1]))) {
			return false
		}
		any = true
	}
	return any
}

// inlineMD writes text so that GitHub shows it as it is, on one line and in a table's
// cell.
func inlineMD(s string) string {
	var b strings.Builder
	s = figure.Clean(s)
	lead := strings.TrimLeft(s, "0123456789")
	if len(lead) > 1 && lead[1] == ' ' && (len(lead) < len(s) && (lead[0] == '.' || lead[0] == ')') || len(lead) == len(s) && (lead[0] == '-' || lead[0] == '+')) {
		b.WriteString(s[:len(s)-len(lead)] + "\\" + lead[:1]) // would begin a list
		s = lead[1:]
	}
	for i, r := range s {
		switch r {
		case '\\', '`', '*', '_', '|', '~', '[', ']', '$', '<', '>', '#':
			if r == '#' && i > 0 { // only a line's first makes a heading
				break
			}
			b.WriteByte('\\')
		case '&':
			b.WriteString("&amp;")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// codeMD writes text as code, between as many backticks as it takes. A bar would end
// a table's cell, so this is for text outside tables.
func codeMD(s string) string {
	s = figure.Clean(s)
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if s == "" {
		return claim.NoNumber
	}
	if longest > 0 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// anchorMD is the fragment that GitHub gives a heading: lower case, without
// punctuation, spaces as hyphens.
func anchorMD(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(figure.Clean(heading)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}
