package lane

import (
	"time"

	"github.com/psgld/psgld-tui/engine/predict"
)

func (l *lane[F]) HoldRecent() { l.recent = predict.NewRecent[F](len(l.first.state.Theta)) }

// RecentDraws of a lane that predicts by its newest state alone are that state, or the proxies
// that stand for it. They are renewed at most every predict.Every while the session runs.
func (l *lane[F]) RecentDraws(running bool) *predict.Recent[float32] {
	r, _ := any(l.recent).(*predict.Recent[float32])
	if r == nil || l.div != nil {
		return nil
	}
	stale := l.newestAlone() && l.draws > 0 && (l.recentAt != l.Step() || l.recent.Len() == 0)
	if !stale || running && time.Since(l.recentMade) < predict.Every {
		return r
	}
	l.recent.Renew()
	l.recentAt, l.recentMade = l.Step(), time.Now()
	if l.proxy == nil {
		l.recent.Add(l.first.state.Theta, 1)
		return r
	}
	for k := range min(l.proxy.Proxies(&l.params), l.recent.Size()) {
		l.recent.Add(l.proxyAt(k), 1)
	}
	return r
}

// proxyAt is the k-th of the vectors that the newest state predicts by. The next call
// overwrites it.
func (l *lane[F]) proxyAt(k int) []F {
	if l.proxyTheta == nil {
		l.proxyTheta = make([]F, len(l.first.state.Theta))
	}
	l.proxy.Proxy(l.proxyTheta, &l.first.state, l.proxyNoise.At(l.Step()<<proxyBits|uint64(k)))
	return l.proxyTheta
}
