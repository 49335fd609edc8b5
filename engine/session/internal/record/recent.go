package record

import (
	"time"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// recent is the witness that holds the newest draws of the window, for whoever asks them about other inputs.
type recent[F sampler.Float] struct {
	plain
	*proxies[F]
	*predict.Recent[F]
	step uint64 // of the newest state among them, where the lane predicts by that
	made time.Time
}

// Take implements [Witness].
func (h *recent[F]) Take(d *Draws[F]) {
	if !h.run.newestAlone() {
		defer h.run.aside(time.Now())
		h.Add(d.Theta(0, 0), d.Weight)
	}
}

func (h *recent[F]) NewWindow() { h.Reset() }
func (h *recent[F]) Set(Held)   { h.Reset() }

// RecentDraws are the newest draws, or what the lane predicts by in their place: its newest state, or the proxies that stand
// for it. Those are renewed at most every predict.Every while the session runs. They are nil for a lane that has diverged or
// holds none.
func (r *Records[F]) RecentDraws(running bool) *predict.Recent[float32] {
	h := r.recent
	if h == nil || r.Diverged != nil {
		return nil
	}
	all, _ := any(h.Recent).(*predict.Recent[float32])
	stale := r.newestAlone() && r.Window.Draws > 0 && (h.step != r.Step() || h.Len() == 0)
	if all == nil || !stale || running && time.Since(h.made) < predict.Every {
		return all
	}
	h.Renew()
	h.step, h.made = r.Step(), time.Now()
	for k := range min(h.vectors(), h.Size()) {
		h.Add(h.vector(k), 1)
	}
	return all
}

// RecentSteps is how many steps the recent draws are of.
func (r *Records[F]) RecentSteps() uint64 {
	if r.recent == nil || r.newestAlone() {
		return 0
	}
	return uint64(r.recent.Size()) * r.Thin / uint64(len(r.Run.Chains))
}
