package tui

import (
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/wording"
)

// notices decides what the footer says: the newest of what the session and the
// screen have to tell, for a while.
type notices struct {
	own     panel.Note // the screen's; empty if the session's is newer
	seen    uint64     // serial of the newest one of the session
	covers  uint64     // commands whose notices the own one stands for
	aside   string     // what stays behind whatever is told while it shows
	asIs    bool       // it is shown to the letter
	showing bool
	answers uint64 // commands after which one that stood before them is over
	tag     int    // of the timer that counts
}

type noticeOverMsg struct{ tag int }

// A notice stays for so long; a bad one longer, and a long one for the time that
// each of its letters takes to read.
const (
	noticeTime    = 4 * time.Second
	badNoticeTime = 12 * time.Second
	readingTime   = 80 * time.Millisecond
)

// say shows a notice of the screen's. It covers what the session says of the
// first sent commands, unless that is bad.
func (n *notices) say(bad bool, text string, sent uint64) tea.Cmd {
	n.own, n.covers = panel.Note{Text: text, Bad: bad}, sent
	if n.aside != "" {
		n.own.Text += "; " + n.aside
	}
	return n.show(n.own)
}

// sayAside shows a notice that what else there is to tell does not put away: it then
// stands in front.
func (n *notices) sayAside(text string, sent uint64) tea.Cmd {
	n.aside = ""
	cmd := n.say(false, text, sent)
	n.aside = text
	return cmd
}

// pull takes the session's notice from a new snapshot.
func (n *notices) pull(s *engine.Snapshot) tea.Cmd {
	if s.Notice.Serial == n.seen {
		if n.answers > 0 && s.Applied >= n.answers {
			n.clear()
		}
		return nil
	}
	n.seen = s.Notice.Serial
	if n.showing && n.own.Text != "" && s.Applied <= n.covers && s.Notice.Err() == nil {
		return nil
	}
	if n.showing && n.aside != "" {
		return n.say(s.Notice.Err() != nil, wording.Notice(s.Notice), n.covers)
	}
	n.own = panel.Note{}
	return n.show(note(s))
}

func (n *notices) show(notice panel.Note) tea.Cmd {
	n.showing, n.answers, n.asIs = true, 0, false
	n.tag++
	tag, d := n.tag, noticeTime
	if notice.Bad {
		d = badNoticeTime
	}
	d = max(d, readingTime*time.Duration(utf8.RuneCountInString(notice.Text)))
	return tea.Tick(d, func(time.Time) tea.Msg { return noticeOverMsg{tag} })
}

// over handles the end of a notice's time and reports whether one vanished.
func (n *notices) over(msg noticeOverMsg) bool {
	if msg.tag != n.tag || !n.showing {
		return false
	}
	n.clear()
	return true
}

// answer takes what the screen said of a key before to be read when the next
// one is pressed.
func (n *notices) answer() {
	if n.showing && n.own.Text != "" {
		n.clear()
	}
}

// answered takes what the session said before a key to be read too, unless it is
// bad: when the commands that the key sent are done without a word, or at once if it
// sent none. Until then it stands, since what they say mostly replaces it.
func (n *notices) answered(s *engine.Snapshot, sent uint64) {
	switch {
	case !n.showing || n.own.Text != "" || s.Notice.Err() != nil:
	case s.Applied >= sent:
		n.clear()
	default:
		n.answers = sent
	}
}

func (n *notices) clear() {
	n.showing, n.own, n.aside, n.answers, n.asIs = false, panel.Note{}, "", 0, false
}

// text returns the notice that shows now.
func (n *notices) text(s *engine.Snapshot) (panel.Note, bool) {
	switch {
	case !n.showing:
		return panel.Note{}, false
	case n.own.Text != "":
		return n.own, true
	}
	told := note(s)
	return told, told.Text != ""
}

// note is what a snapshot tells.
func note(s *engine.Snapshot) panel.Note {
	return panel.Note{Text: wording.Notice(s.Notice), Bad: s.Notice.Err() != nil}
}
