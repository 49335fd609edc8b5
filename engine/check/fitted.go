package check

import (
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"gonum.org/v1/gonum/floats"
)

// listed are those of a fixed size, and those of a noise of another shape.
func (k *checker) listed(s *setup, h *held) []hypothesis {
	return append(hypotheses(s), k.shaped(s, h)...)
}

// shaped are those of noise that has a mean, or goes on from step to step: a drift of another size may look like them.
func (k *checker) shaped(s *setup, h *held) []hypothesis {
	if k.path == nil || h == nil || h.book == nil || h.book.n < 2 {
		return nil
	}
	var all []hypothesis
	add := func(free int, f Fault, change func(*setup)) {
		all = append(all, s.with(change, f).fits(float64(free)))
	}
	b := h.book
	n := b.n * float64(b.dim)
	far := list.Max(b.mean, func(x float64) float64 { return math.Abs(x) / math.Sqrt(b.n) })
	if !s.shared && far > 4 {
		tilt, left, most := make([]float64, k.draws.Dim), 0.0, 0
		for i, x := range b.raw {
			tilt[b.which[i]] = x / b.n
			if math.Abs(x) > math.Abs(b.raw[most]) {
				most = i
			}
			left += (b.square[i]/b.n - float64(b.mean[i]*b.mean[i])/(b.n*b.n)) / float64(b.dim)
		}
		f := tilted.as("The noise has a mean, of %.2g of its standard deviation in %s, or the gradient is off by a "+
			"constant.", b.raw[most]/b.n, b.names(most))
		add(b.dim, f, func(s *setup) { s.tilt = tilt })
		if !s.noisy() && left > 0 && math.Abs(normalScore(left, n)) > 4 {
			more := f.as("%s The noise has %.2g times the variance that it should have.", f.What, left)
			add(b.dim+1, more, func(s *setup) {
				s.scale, s.tilt = s.scale*left, slices.Clone(tilt)
				for i := range tilt {
					s.tilt[i] /= math.Sqrt(left)
				}
			})
		}
	}
	if phi := b.lag[0] / n; !s.noisy() && !s.shared && math.Abs(phi)*math.Sqrt(n) > 4 && math.Abs(phi) < 0.99 {
		add(1, correlated.as("The noise goes on from step to step: its autocorrelation is %.2g.", phi),
			func(s *setup) { s.goesOn = phi })
	}
	if z := (b.kurt - float64(n*clippedMean)) / (math.Sqrt(n) * clippedSD); b.bell && math.Abs(z) > 4 {
		add(1, shape.as("The noise is not normal: its fourth moment, clipped, is %.2g, and 3 if it were.", b.kurt/n),
			func(s *setup) { s.shape = true })
		all = append(all, k.falling(s, b)...)
	}
	if s.shared {
		return all
	}
	if b.xy[onDrift] < -4*math.Sqrt(b.xx[onDrift]) {
		all = append(all, k.clipping(s)...)
	}
	all = append(all, k.sized(s, b)...)
	if !s.noisy() && (math.Abs(b.xy[onRecent]) > 4*math.Sqrt(b.xx[onRecent]) ||
		slices.ContainsFunc(b.lag[:], func(x float64) bool { return math.Abs(x) > 4*math.Sqrt(n) })) {
		all = append(all, k.averaging(s)...)
	}
	return all
}

// sized are numbers of the claim that are not those of the draws, each as these are likeliest by it.
func (k *checker) sized(s *setup, b *ledger) (all []hypothesis) {
	fit := func(f Fault, what string, of float64, put func(s *setup, x float64)) {
		x, unlike := k.likeliest(s, []float64{0.01, 0.1, 0.25, 0.5, 1, 2, 4, 10, 100}, 0.4, put)
		if math.Abs(x-1) < 0.05 || x <= 0 || math.IsInf(unlike, 1) { // that is the claim, or no number for it
			return
		}
		all = append(all, s.with(func(s *setup) { put(s, x) }, f.as(what, of*x)).fits(1))
	}
	if s.early > 0 {
		return nil
	}
	if math.Abs(b.xy[onPrior]) > 4*math.Sqrt(b.xx[onPrior]) {
		fit(priorOther, "The gradient of the prior has %.2g times its size.", 1,
			func(s *setup, x float64) { s.params.PriorPrec *= x })
	}
	if pulls, far, most := slices.Clone(b.pull), 0, 4.0; s.batch == 0 && b.dim == k.draws.Dim {
		for i, xx := range b.pull2 {
			xx = max(xx, 1e-300)
			if pulls[i] = 1 + b.pull[i]/xx; math.Abs(b.pull[i]) > most*math.Sqrt(xx) {
				far, most = i, math.Abs(b.pull[i])/math.Sqrt(xx)
			}
		}
		drift, unlike := 1+floats.Sum(b.pull)/max(floats.Sum(b.pull2), 1e-300), 0.0
		for i, x := range pulls {
			unlike += float64((x - drift) * (x - drift) * b.pull2[i])
		}
		switch d := float64(b.dim); {
		case most > 4 && unlike < d+float64(4*math.Sqrt(2*d)):
			all = append(all, s.with(func(s *setup) { s.pull(drift) }, pulled("", drift)).fits(1))
		case most > 4:
			f := pulled(" in "+b.names(far), pulls[far])
			all = append(all, s.with(func(s *setup) { s.pulls = pulls }, f).fits(d))
		}
	}
	for _, key := range []string{"friction", "rate", "lambda"} { // another diffusion is another noise
		if x, ok := s.own(key); ok && x > 0 && !s.still() {
			fit(setting, "The setting "+key+" is about %.2g.", x, func(s *setup, by float64) { s.setOwn(key, x*by) })
		}
	}
	if alpha, ok := s.own("alpha"); ok && !s.still() {
		fit(setting, "V takes in about %.2g of the newest square at each step, which is 1-α.", 1-alpha,
			func(t *setup, by float64) { t.setOwn("alpha", max(0, 1-float64((1-alpha)*by))); t.early = s.skip() })
	}
	if off := math.Abs(floats.Sum(b.square)/(b.n*float64(b.dim)) - 1); s.batch > 0 && off > 0.02 {
		fit(stepSize, "The step size is about %.2g.", s.params.Eps, func(s *setup, x float64) { s.params.Eps *= x })
		fit(batchSize, "A minibatch has about %.0f data.", float64(s.batch), func(s *setup, x float64) {
			s.batch = min(max(1, int(math.Round(x*float64(s.batch)))), s.problem.N()-1)
		})
		all = append(all, k.falling(s, b)...)
	}
	return all
}

// pulled is a drift of another size, in all coordinates or where it says.
func pulled(where string, x float64) Fault {
	f := driftOther.as("The drift%s is %.2f times what the noise belongs to.", where, x)
	if x < 0 {
		f.What += " The gradient has the wrong sign."
	}
	return f
}

// fitted are faults of a size that is in no list but in the draws.
func (k *checker) fitted(s *setup, h *held) []hypothesis {
	var all []hypothesis
	add := func(f Fault, change func(*setup), more ...Fault) {
		all = append(all, s.with(change, append([]Fault{f}, more...)...))
	}
	if k.long != nil || s.early > 0 {
		return nil
	}
	if s.method.Alone && s == k.right {
		n := k.again.thinned(k.ctx, 100)
		var as []Fault // what looks like it
		if n > 1 && k.unordered(h) {
			as = append(as, unordered)
		}
		for _, m := range []int{n, n - 1, n + 1} {
			if f := thinning; m > 0 && m != s.thin {
				if m > 1 {
					f = f.as("A draw is about %d steps after the one before.", m)
				}
				add(f, func(s *setup) { s.thin, s.trail = m, nil }, as...)
			}
		}
	}
	if s.method.Metropolis && s.thin == 1 {
		if e := k.again.energy(k.ctx, s); e == e {
			add(frozenEnergy, func(s *setup) { s.heat, s.stale, s.energy = 1, frozen, e })
		}
	}
	b := h.book
	if b == nil || b.n < 2 || b.dim == 0 {
		return all
	}
	n := b.n * float64(b.dim)
	none, names := make([]bool, k.draws.Dim), []string(nil)
	for i, square := range b.square {
		if s.noisy() && normalScore(square/b.n, b.n) < -8 {
			none[b.which[i]], names = true, append(names, b.names(i))
		}
	}
	if names != nil {
		add(missing.as("No noise is added to %s.", strings.Join(names, ", ")), func(s *setup) { s.without = none })
	}
	// Drift and noise by one factor: least squares of the drift, and what it leaves.
	drift := 1.0
	if b.xx[onDrift] > 0 {
		drift += b.xy[onDrift] / b.xx[onDrift]
	}
	left := max(b.own, 0)
	noise := (left - float64((drift-1)*(drift-1)*b.xx[onDrift])) / n
	eps := s.params.Eps * noise
	add(stepSize.as("The step size is about %.2g.", eps), func(s *setup) { s.params.Eps = eps })
	wrong := noiseOther.as("The noise has %.2f times its variance.", left/n)
	if moving(s) {
		wrong = friction.as("The noise is that of another friction: it has %.2f times its variance.", left/n)
	}
	add(wrong, func(s *setup) { s.scale *= max(left/n, 1e-6) }, tempHalf.as("The temperature is %.2f T.", left/n))
	add(pulled("", drift), func(s *setup) { s.pull(drift) })
	if !s.still() && !s.shared {
		all = append(all, k.averaging(s)...)
	}
	return all
}

// falling is a step size that falls as a power of the steps, as the squares of the noise are likeliest. What the drift
// of another step leaves in these is less each time that it is looked for.
func (k *checker) falling(s *setup, b *ledger) []hypothesis {
	t := *s
	for range 8 {
		f, gain := t.falls.again(b.block, float64(b.dim))
		if gain < 50 {
			return nil
		}
		t.falls = f
		if b, k.err = k.path.march(&t).on(k.ctx, nil); k.err != nil {
			return nil
		}
	}
	from, to := s.params.Eps*t.falls.at(0), s.params.Eps*t.falls.at(b.block[len(b.block)-1].to)
	what := stepSize.as("The step size falls, from about %.2g to %.2g.", from, to)
	return []hypothesis{s.with(func(s *setup) { s.falls = t.falls }, what).fits(3)}
}

// again is a fall by which blocks of steps are likeliest, whose noise is in units of what f makes of it, and how much
// likelier than by no fall.
func (f fall) again(all []block, dim float64) (best fall, gain float64) {
	mean := func(f fall, b block) float64 { // of a block, by Simpson's rule
		return (f.at(b.from) + float64(4*f.at((b.from+b.to)/2)) + f.at(b.to)) / 6
	}
	was := list.Map(all, func(b block) float64 { return mean(f, b) })
	least, none := math.Inf(1), 0.0
	for over := float64(all[len(all)-1].to) / 1000; over < 1e7; over *= 1.25 {
		for power := 0.0; power < 200; power = max(0.02, 1.06*power) { // the largest are as good as exponential
			g, n, unlike := fall{0, over, power}, 0.0, 0.0
			for i, b := range all {
				by := mean(fall{1, over, power}, b)
				n += float64(b.n * dim)
				g.size += b.square * was[i] / by
				unlike += float64(b.n * dim * libm.Log(by))
			}
			g.size /= n
			if unlike = (unlike + float64(n*libm.Log(g.size))) / 2; power == 0 {
				none = unlike
			}
			if unlike < least {
				least, best = unlike, g
			}
		}
	}
	return best, none - least
}

// clipping is a gradient that is cut to a norm, or each of whose coordinates is cut, where the draws are likeliest.
func (k *checker) clipping(s *setup) (all []hypothesis) {
	top, sizes := 0.0, []float64(nil)
	for at := 0; at < len(k.path.mean[0]); at += k.draws.Dim {
		top = max(top, s.params.N*floats.Norm(k.path.mean[0][at:][:k.draws.Dim], 2))
	}
	for x := top; x > top/1e3; x *= 0.8 {
		sizes = append(sizes, x)
	}
	least := math.Inf(1)
	for i, what := range []string{"The gradient is cut to a norm of about %.2g.",
		"Each coordinate of the gradient is cut to about %.2g."} {
		most, unlike := k.likeliest(s, sizes, 0.1, func(s *setup, x float64) { s.most, s.each = x, i > 0 })
		if unlike < least {
			least = unlike
			h := s.with(func(s *setup) { s.most, s.each = most, i > 0 }, clipped.as(what, most))
			all = []hypothesis{h.fits(1)}
		}
	}
	return all
}

// averaging is an average of gradients, if there is one.
func (k *checker) averaging(s *setup) []hypothesis {
	beta := k.average(s)
	if beta <= 0.02 || beta > 0.995 { // one that never moves on is none
		return nil
	}
	f := averagedGrad.as("An average of gradients, which keeps about %.2g of itself, moves θ in the place of the "+
		"newest gradient.", beta)
	return []hypothesis{s.with(func(s *setup) { s.average = beta }, f).fits(1)}
}

// average is the share that an average of gradients keeps of itself, as the draws are likeliest.
func (k *checker) average(s *setup) float64 {
	news, _ := k.likeliest(s, []float64{1, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01}, 0.5,
		func(s *setup, x float64) { s.average = max(1-x, 0) })
	return max(1-news, 0)
}

// likeliest is the number in a setup, from some or beside the best of these, by which the draws are likeliest, and how
// improbable they are by it; infinitely so where a part of them tells that none is it. The first step beside it is by a
// share of it, and the last ones are as small as all draws tell. put puts a number in.
func (k *checker) likeliest(s *setup, of []float64, share float64, put func(*setup, float64)) (best, least float64) {
	p, end := k.path.upto(part), share/25
	const fine = 0.06 // from there on all draws tell, where a step costs little
	if !s.noisy() {
		end = min(end, 0.3/math.Sqrt(float64(k.draws.Count())))
	}
	if least = math.Inf(1); s.noisy() { // a step costs more
		p = k.path.upto(part / 10)
	}
	try := func(x float64) float64 {
		t := *s
		put(&t, x)
		y := k.surprise(p, &t)
		if y < least {
			best, least = x, y
		}
		return y
	}
	for _, x := range of {
		try(x)
	}
	if s.noisy() {
		p, least = k.path.upto(part), math.Inf(1)
		try(best)
	}
	for ; share > end && k.err == nil; share /= 2 {
		if share < fine && p != k.path && !s.noisy() {
			if t := *s; k.draws.Count() > 2*part {
				if put(&t, best); k.far(p, &t) {
					return best, math.Inf(1)
				}
			}
			p, least = k.path, math.Inf(1)
			try(best)
		}
		at, y := best, least
		up, down := try(at+float64(share*at)), try(at-float64(share*at))
		if bend := up + down - 2*y; bend > 0 && share <= 2*end { // by a parabola through the last three
			try(at + float64(share*at*(down-up)/(2*bend)))
		}
	}
	return best, least
}

// far reports whether a fact of a path fails by far more than a number explains that is off by some percent.
func (k *checker) far(p *path, s *setup) bool {
	var book *ledger
	book, k.err = p.march(s).on(k.ctx, nil)
	return k.err == nil && judge(book.facts()) > 4
}

// other is a stretch of steps whose noise has another variance, which all others have not.
func (k *checker) other(s *setup, claim *held) (Fault, bool) {
	b := claim.book
	first, last := -1, -1
	for i, c := range b.block {
		nu := c.n * float64(b.dim)
		if math.Abs(normalScore(c.square/nu, nu/b.heavy(b.dim))) > 4 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 || b.block[first].chain != b.block[last].chain || last-first+1 > len(b.block)/2 {
		return Fault{}, false
	}
	from, to := b.block[max(first-1, 0)], b.block[min(last+1, len(b.block)-1)]
	chain := b.block[first].chain
	if k.hold(s, func(c, t int) bool { return c == chain && t >= from.from && t <= to.to }).worst > 1 {
		return Fault{}, false
	}
	return stretch.as("Draws %s to %s%s, about, have noise of another size.", counted(b.block[first].from+1),
		counted(b.block[last].to+1), k.ofChain(chain)), true
}
