package control

import (
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A Note is a line for the user; without a text there is nothing to tell.
type Note struct {
	Text string
	Bad  bool // something was refused or has failed
}

// Notices decides what the footer says: the newest of what the session and the screen have to tell, for a while.
type Notices struct {
	Own     Note   // the screen's; empty if the session's is newer
	Seen    uint64 // serial of the newest one of the session
	covers  uint64 // serial of the newest command whose notice the own one replaces
	aside   string // follows whatever is told while it shows
	AsIs    bool   // its text is shown to the letter
	Showing bool
	answers uint64 // serial of the command that ends the notice from before it; 0 for none
	Tag     int    // of the timer that counts
}

// NoticeOverMsg is the end of the time of the notice with a tag.
type NoticeOverMsg struct{ Tag int }

// A notice stays for so long; a bad one longer, and a long one for the time that each of its letters takes to read.
const (
	noticeTime    = 4 * time.Second
	badNoticeTime = 12 * time.Second
	readingTime   = 80 * time.Millisecond
)

// Say shows a notice of the screen's. It replaces what the session says of the commands sent so
// far, unless that is bad.
func (n *Notices) Say(bad bool, text string, sent uint64) tea.Cmd {
	n.Own, n.covers = Note{Text: text, Bad: bad}, sent
	if n.aside != "" {
		n.Own.Text += "; " + n.aside
	}
	return n.show(n.Own)
}

// SayAside shows a notice that the next one does not put away: that stands before it.
func (n *Notices) SayAside(text string, sent uint64) tea.Cmd {
	n.aside = ""
	cmd := n.Say(false, text, sent)
	n.aside = text
	return cmd
}

// Pull takes the session's notice from a new snapshot.
func (n *Notices) Pull(s *engine.Snapshot) tea.Cmd {
	if s.Notice.Serial == n.Seen {
		if n.answers > 0 && s.Applied >= n.answers {
			n.Clear()
		}
		return nil
	}
	n.Seen = s.Notice.Serial
	if n.Showing && n.Own.Text != "" && s.Notice.Applied <= n.covers && s.Notice.Err() == nil {
		return nil
	}
	if n.Showing && n.aside != "" {
		return n.Say(s.Notice.Err() != nil, wording.Notice(s.Notice), n.covers)
	}
	n.Own = Note{}
	return n.show(note(s))
}

// Stay shows a notice until a key answers it.
func (n *Notices) Stay(text string, sent uint64) tea.Cmd {
	n.Say(false, text, sent)
	n.Tag++ // the timer counts no more
	return nil
}

func (n *Notices) show(notice Note) tea.Cmd {
	n.Showing, n.answers, n.AsIs = true, 0, false
	n.Tag++
	tag, d := n.Tag, noticeTime
	if notice.Bad {
		d = badNoticeTime
	}
	d = max(d, readingTime*time.Duration(utf8.RuneCountInString(notice.Text)))
	return tea.Tick(d, func(time.Time) tea.Msg { return NoticeOverMsg{tag} })
}

// Over handles the end of a notice's time and reports whether one vanished.
func (n *Notices) Over(msg NoticeOverMsg) bool {
	if msg.Tag != n.Tag || !n.Showing {
		return false
	}
	n.Clear()
	return true
}

// Answer puts the screen's notice away: who presses another key has read it.
func (n *Notices) Answer() {
	if n.Showing && n.Own.Text != "" {
		n.Clear()
	}
}

// Answered puts away what the session said before a key, unless that is bad: at once if the key
// sent no command, else when the session has done its commands and said nothing.
func (n *Notices) Answered(s *engine.Snapshot, sent uint64) {
	switch {
	case !n.Showing || n.Own.Text != "" || s.Notice.Err() != nil:
	case s.Applied >= sent:
		n.Clear()
	default:
		n.answers = sent
	}
}

// Clear puts the notice away.
func (n *Notices) Clear() {
	n.Showing, n.Own, n.aside, n.answers, n.AsIs = false, Note{}, "", 0, false
}

// Text is the notice that shows now.
func (n *Notices) Text(s *engine.Snapshot) Note {
	switch {
	case !n.Showing:
		return Note{}
	case n.Own.Text != "":
		return n.Own
	}
	return note(s)
}

func note(s *engine.Snapshot) Note {
	return Note{Text: wording.Notice(s.Notice), Bad: s.Notice.Err() != nil}
}
