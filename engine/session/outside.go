package session

// behind is the most steps that any lane owes. A lane owes steps when it was interrupted in a chunk in which others got
// further.
func (s *Session) behind() (most uint64) {
	for i, r := range s.lanes {
		if r.Standing().Diverged == nil {
			most = max(most, min(s.owed[s.now.Lanes[i].ID], s.left(i)))
		}
	}
	return most
}

// counted returns how many of the n steps of a chunk count as made. A chunk that was not interrupted counts in full.
//
// In an interrupted chunk the lanes make different numbers of steps. The least of them counts, and each lane owes its
// distance from the furthest one. In the chunks after it, where behind is true, lanes make only the steps that they
// owe. Such a chunk counts the most that a lane has made.
func (s *Session) counted(jobs []job, n uint64, behind bool) uint64 {
	most, cut := uint64(0), false
	for _, j := range jobs {
		most = max(most, j.lane.Standing().Odometer-j.from)
		cut = cut || j.lane.Standing().Interrupted
	}
	if !behind && !cut {
		return n
	}
	least := most
	for i, j := range jobs {
		did, owed := j.lane.Standing().Odometer-j.from, &s.owed[s.now.Lanes[i].ID]
		switch {
		case behind:
			*owed -= min(did, *owed)
		case j.steps > 0 && j.lane.Standing().Diverged == nil && s.left(i) > 0:
			*owed = most - did
			least = min(least, did)
		}
	}
	return least
}
