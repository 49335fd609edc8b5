package session

import (
	"time"

	"github.com/psgld/psgld-tui/engine/predict"
)

// holdRecent has the lane keep its newest draws from here on.
func (l *lane[F]) holdRecent() { l.recent = predict.NewRecent[F](len(l.state.Theta)) }

// recentDraws returns the draws that the lane predicts by: its newest ones; of a lane
// that predicts by its newest state alone, that state, or what it predicts by in
// its place. While the session runs that is renewed at most every
// predict.Every. It is nil for a lane that has diverged or that keeps none.
func (l *lane[F]) recentDraws(running bool) *predict.Recent[float32] {
	r, _ := any(l.recent).(*predict.Recent[float32])
	if r == nil || l.div != nil {
		return nil
	}
	stale := l.newestAlone() && l.draws > 0 && (l.recentAt != l.state.Step || l.recent.Len() == 0)
	if !stale || running && time.Since(l.recentMade) < predict.Every {
		return r
	}
	l.recent.Renew()
	l.recentAt, l.recentMade = l.state.Step, time.Now()
	if l.proxy == nil {
		l.recent.Add(l.state.Theta, 1)
		return r
	}
	for k := range min(l.proxy.Proxies(&l.params), l.recent.Size()) {
		l.recent.Add(l.proxyAt(k), 1)
	}
	return r
}

// proxyAt is the k-th of the vectors that the newest state predicts by. It is
// good until the next call.
func (l *lane[F]) proxyAt(k int) []F {
	if l.proxyTheta == nil {
		l.proxyTheta = make([]F, len(l.state.Theta))
	}
	l.proxy.Proxy(l.proxyTheta, &l.state, l.proxyNoise.At(l.state.Step<<proxyBits|uint64(k)))
	return l.proxyTheta
}
