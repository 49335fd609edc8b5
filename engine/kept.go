package engine

import (
	"cmp"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
)

// kept is what a session keeps of its past, so that going along the tape need not
// begin at the start: whole copies of it at a few places. All are of the present
// timeline, what is done and what is still to come; a branch drops those beyond it.
type kept struct {
	places []keptPlace   // by place
	since  time.Duration // sampled since the newest was copied
	cost   time.Duration // of copying that
	// apart is the sampling time between two of them at least, and room the bytes
	// that they may take.
	apart time.Duration
	share time.Duration // 1/share of the time goes into copies at most
	room  int
	least int // so many there are in any case
}

// keptPlace is a session at a place of its tape, between two steps. What it holds
// is never changed.
type keptPlace struct {
	at         uint64
	cfg        Config
	prob       *targets.Problem
	lanes      []laneFrame
	ids        []int
	events     int // of the timeline, applied
	base       uint64
	from       []uint64
	past       []Turn
	undo, redo [][]Lane
	marks      []Mark
	bytes      int // of its own
	pastBytes  int // of the checkpoints that the place before it has not
}

// keptApart is at a frame's rate: going back by what ran in a frame is running it
// again at most. Copies take a keptShare-th of the time at most, on the way back a
// third, and wait patience times as long as that for what is being evaluated. There
// are leastKept, or none where so many would take more than half of the room without
// their checkpoints; of the largest networks those may take them beyond it. Places lie
// the further apart the further back they are, and those that are less than a
// keptSpread-th of the tape back lie alike.
const (
	keptApart  = 25 * time.Millisecond
	keptRoom   = 256 << 20
	leastKept  = 4
	mostKept   = 200
	keptShare  = 20
	keptSpread = 32
	patience   = 4
)

func newKept() kept {
	return kept{apart: keptApart, share: keptShare, room: keptRoom, least: leastKept}
}

// drop forgets all places, those of another session.
func (k *kept) drop() { k.places, k.since, k.cost = nil, 0, 0 }

// cut forgets the places of a future that will not be.
func (k *kept) cut(at uint64, events int) {
	k.places = slices.DeleteFunc(k.places, func(p keptPlace) bool { return p.at > at || p.events > events })
}

// keepPlace copies the session as it stands, if it has sampled for long enough
// since the last copy; on the way back more often, halfway to where it goes each
// time, since it is likely to go back further. A session that writes its draws keeps
// none: they are written again when it goes back, from the first one on.
func (s *Session) keepPlace(took time.Duration) {
	k, t := &s.kept, &s.tape
	k.since += took
	usual := k.since >= max(k.apart, k.share*k.cost)
	if !usual && !(t.seeking && k.since >= max(k.apart/4, 2*k.cost)) || !s.rt.Interactive || s.rt.Sink != nil || s.failed != nil {
		return
	}
	// A copy waits for what is being evaluated, and the session with it: better a while
	// later, if anybody watches it.
	if !t.seeking && k.since < patience*max(k.apart, k.share*k.cost) && slices.ContainsFunc(s.lanes, runner.evaluating) {
		return
	}
	at := s.place()
	i, found := slices.BinarySearchFunc(k.places, at, func(p keptPlace, at uint64) int { return cmp.Compare(p.at, at) })
	before := uint64(0)
	if i > 0 {
		before = k.places[i-1].at
	}
	if left := t.to - min(at, t.to); found || !usual && left > (t.to-min(before, t.to))/2 {
		return
	}
	start := time.Now()
	p := keptPlace{
		at: at, cfg: s.cfg, prob: s.prob, ids: slices.Clone(s.ids), events: len(s.events),
		base: s.tape.base, from: slices.Clone(s.tape.from), past: slices.Clip(s.tape.past),
		undo: slices.Clone(s.undo), redo: slices.Clone(s.redo), marks: slices.Clip(s.marks),
	}
	p.cfg.Lanes = slices.Clone(s.cfg.Lanes)
	for _, r := range s.lanes {
		c := r.frame()
		p.lanes, p.bytes = append(p.lanes, c), p.bytes+c.bytes()
	}
	if k.since, k.cost = 0, time.Since(start); k.least*p.bytes > k.room/2 {
		return
	}
	k.places = slices.Insert(k.places, i, p)
	k.weigh(i)
	k.weigh(i + 1)
	head := at
	if s.tape.seeking {
		head = s.tape.to
	}
	k.thin(head)
}

// weigh works out pastBytes of the place at i, if there is one. A checkpoint is held
// by places that follow each other, or by more of them where it is as if there were
// more of it: the sum over the places is what they take at most.
func (k *kept) weigh(i int) {
	if i >= len(k.places) {
		return
	}
	p := &k.places[i]
	p.pastBytes = 0
	for j, c := range p.lanes {
		var other laneFrame
		if i > 0 && j < len(k.places[i-1].lanes) {
			other = k.places[i-1].lanes[j]
		}
		p.pastBytes += c.pastBytes(other)
	}
}

// size is what the places take.
func (k *kept) size() int {
	sum := 0
	for i := range k.places {
		sum += k.places[i].bytes + k.places[i].pastBytes
	}
	return sum
}

// thin drops places until there is room for the others: first those that stand
// closest to their neighbours for how far they are from head.
func (k *kept) thin(head uint64) {
	for n := len(k.places); n > mostKept || n > k.least && k.size() > k.room; n-- {
		end := max(head, k.places[n-1].at)
		worst, least := -1, 0.0
		for i := range k.places {
			before, after, at := uint64(0), end, k.places[i].at
			if i > 0 {
				before = k.places[i-1].at
			}
			if i+1 < n {
				after = k.places[i+1].at
			}
			away := float64(max(at, head)-min(at, head)) + float64(end)/keptSpread + 1
			if at <= head && head < after || at == end {
				continue // the newest, from which it goes on
			}
			if gap := float64(after-before) / away; worst < 0 || gap < least {
				worst, least = i, gap
			}
		}
		if worst < 0 {
			break
		}
		k.places = slices.Delete(k.places, worst, worst+1)
		k.weigh(worst)
	}
}

// nearest is the newest place kept from which going to a place is less than from
// where the session stands, nil for none. At least a step is left to run, so that
// what is known of the newest step alone is known there.
func (s *Session) nearest(to uint64) *keptPlace {
	at := s.place()
	for i := len(s.kept.places) - 1; i >= 0; i-- {
		p := &s.kept.places[i]
		if p.at+s.warmUp() < to && (to < at || p.at > at) {
			return p
		}
	}
	return nil
}

// warmUp is how many steps a lane runs until it holds as many recent draws as it
// does at most, where they are shown.
func (s *Session) warmUp() uint64 {
	most := uint64(0)
	if !s.shiftOn() {
		return 0
	}
	for _, r := range s.lanes {
		most = max(most, r.recently())
	}
	return most
}

// revive makes the session what it was at a place that was kept. What it has done
// since is still to come. After an error it is as it was.
func (s *Session) revive(p *keptPlace) error {
	same := s.prob == p.prob
	all := make([]runner, len(p.lanes))
	fresh := make([]planned, len(p.lanes)) // where there is no lane to make into what was
	for i, c := range p.lanes {
		if k := slices.Index(s.ids, p.ids[i]); k >= 0 && same && s.lanes[k].restorable(c) {
			all[i] = s.lanes[k]
			continue
		}
		var err error
		if fresh[i], err = s.plan(p.cfg, p.prob, p.ids[i], c.setting()); err != nil {
			return err
		}
	}
	was := s.leave()
	for _, r := range s.lanes {
		if !slices.Contains(all, r) {
			r.close()
		}
	}
	s.cfg, s.cfg.Lanes = p.cfg, slices.Clone(p.cfg.Lanes)
	s.prob, s.images = p.prob, predict.Images{}
	if !same {
		s.watchFirst()
	}
	s.lanes, s.ids = nil, nil
	for i, c := range p.lanes {
		if r := all[i]; r != nil {
			s.lanes, s.ids = append(s.lanes, r), append(s.ids, p.ids[i])
			r.watch(s.watched)
		} else {
			s.addLane(fresh[i])
		}
		s.lanes[i].restore(c)
	}
	s.undo, s.redo, s.marks = slices.Clone(p.undo), slices.Clone(p.redo), p.marks
	s.events, s.script = was.script[:p.events:p.events], was.script[p.events:]
	s.tape = tape{begin: s.tape.begin, base: p.base, from: p.from, past: p.past, whole: was.whole}
	s.kept.since = 0
	s.meter = meter{}
	s.shareCores()
	return nil
}
