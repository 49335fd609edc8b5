package class

import (
	"fmt"
	"maps"
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// A Poll is a question of a lesson that the room answers together. It is open while the lecturer
// is asked it too. Students who are ahead of the lecturer may have answered it before.
type Poll struct {
	At     *control.Scene // the lecturer's, or that of the first who was asked
	Open   bool
	Asked  bool        // the lecturer has come to it
	Choice map[int]int // of a seat, by its number: the index of the choice
}

// Counts are how often each choice was made.
func (p *Poll) Counts() []int {
	n := make([]int, len(p.At.Choices))
	for _, c := range p.Choice {
		n[c]++
	}
	return n
}

// copy is a poll that nobody changes.
func (p *Poll) copy() Poll {
	c := *p
	c.Choice = maps.Clone(p.Choice)
	return c
}

// poll is that of a scene, nil for none; the room is locked.
func (r *Room) poll(at *control.Scene) *Poll {
	p, _ := list.Find(r.polls, func(p *Poll) bool { return p.At.Is(at) })
	return p
}

// Polls are those so far, in the order in which they were opened.
func (r *Room) Polls() []Poll {
	r.mu.Lock()
	defer r.mu.Unlock()
	return list.Map(r.polls, (*Poll).copy)
}

// lectures is told where the lecturer is in a lesson; nil for nowhere. A question that the
// lecturer comes to is opened, and closed when the lecturer answers or goes on.
func (r *Room) lectures(at *control.Scene) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at != nil {
		switch p, asks := r.poll(at), at.Phase == lesson.Asking && at.Question != ""; {
		case p == nil && asks:
			r.polls = append(r.polls, &Poll{At: at, Open: true, Asked: true, Choice: map[int]int{}})
		case p != nil:
			p.At = at // with what it has revealed by now
			if p.Open && !asks {
				r.shut(p)
			} else if asks { // or once more, such as after "again"
				p.Open, p.Asked = true, true
			}
		}
	}
	for _, p := range r.polls {
		if p.Open && !p.At.Is(at) {
			r.shut(p)
		}
	}
	r.lecture = at
}

// shut closes a poll and tells everyone; the room is locked.
func (r *Room) shut(p *Poll) {
	p.Open = false
	for _, s := range r.seats {
		s.post(control.CloseMsg{At: p.At})
	}
}

// predict takes a student's prediction: of an open question, or of one that the lecturer has not come to.
func (r *Room) predict(s *Seat, at *control.Scene, choice int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.poll(at)
	switch {
	case p == nil:
		r.polls = append(r.polls, &Poll{At: at, Choice: map[int]int{s.Number: choice}})
	case p.Open || !p.Asked:
		p.Choice[s.Number] = choice
	}
}

func (r *Room) open(at *control.Scene) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.poll(at)
	return p != nil && p.Open
}

// outcome is what the room has found in a scene: what it predicted, and for students what the
// lecturer measured. It is empty until the question is closed.
func (r *Room) outcome(at *control.Scene, students bool) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.poll(at)
	if p == nil || p.Open || !p.Asked {
		return ""
	}
	var all []string
	if len(p.Choice) > 0 {
		var b strings.Builder
		for i, n := range p.Counts() {
			fmt.Fprintf(&b, ", %d answer %d", n, i+1)
		}
		all = append(all, "Of the room "+
			strings.Replace(strings.TrimPrefix(b.String(), ", "), " ", " predicted ", 1)+".")
	}
	if students && p.At.Phase == lesson.Revealed && len(p.At.Numbers) > 0 {
		all = append(all, "The lecturer's numbers: "+strings.Join(p.At.Numbers, ", ")+".")
	}
	return strings.Join(all, " ")
}
