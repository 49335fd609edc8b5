package check

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/targets"
)

const (
	// copies is how often a transition is simulated again.
	copies = 4
	// followed is of how many coordinates simulated transitions have facts.
	followed = 6
	// transitions is how many of the draws' are simulated at most.
	transitions = 20_000
	// onRise is the number of the fact of log p, the last one that is of no coordinates.
	onRise = 4
	// simulatedReads bounds the numbers that the gradients of a hypothesis read.
	simulatedReads = 2e9
)

// again are draws whose θ is all that a transition hangs on: each is made again, from the draw that it began at.
type again struct {
	right  *setup
	draws  Draws
	stride int // one transition in that many
}

func newAgain(s *setup, d Draws) *again {
	rows := cmp.Or(s.batch, s.problem.N())
	cost := float64(rows*d.Dim+20) * float64(s.thin*copies)
	if l, ok := s.own("leapfrog"); ok {
		cost *= l
	}
	n := float64(d.Count())
	stride := max(1, int(math.Ceil(n/transitions)), int(n*cost/simulatedReads))
	return &again{s, d, stride}
}

// change is what a transition's facts are taken of.
type change struct {
	// θ, the draw before it, or nil, and ∇log p at θ or, of shuffled minibatches, an epoch before
	from, before, pull []float64
	log                func(theta []float64) float64
	at                 float64 // log p(θ)
}

// features writes what a transition to θ' comes to.
func (c *change) features(to []float64, dst []float64) []float64 {
	dst = dst[:0]
	n := min(len(to), followed)
	moved, along, lag, after := 0.0, 0.0, 0.0, 0.0
	for i, y := range to {
		d := y - c.from[i]
		if d != 0 {
			moved = 1
		}
		along += float64(d * c.pull[i])
		if c.before != nil {
			lag += float64(d * (c.from[i] - c.before[i]))
		}
	}
	if c.before != nil && slices.Equal(c.before, c.from) {
		after = moved
	}
	rise := 0.0
	if c.log != nil {
		rise = min(max(c.log(to)-c.at, -20), 20)
	}
	dst = append(dst, moved, after, along, lag, rise)
	for i := range n {
		d := to[i] - c.from[i]
		dst = append(dst, d, d*d)
		for j := range i {
			dst = append(dst, d*(to[j]-c.from[j]))
		}
	}
	return dst
}

func (a *again) names() []string {
	all := []string{"share of moves", "share of moves after a stay", "move along the gradient",
		"move along the last one", "rise of log p"}
	for i := range min(a.draws.Dim, followed) {
		name := a.right.problem.Name(i)
		all = append(all, "move of "+name, "square move of "+name)
		for j := range i {
			all = append(all, "product of the moves of "+a.right.problem.Name(j)+" and "+name)
		}
	}
	return all
}

// facts are those of the transitions under a hypothesis. The noise of each is what is left of its move, over its
// standard deviation.
func (a *again) facts(ctx context.Context, s *setup, stream, stride int) ([]Fact, [][]float64, error) {
	d := a.draws.Dim
	target, end := s.fork()
	defer end()
	density, _ := target.(targets.LikelihoodGradient[float64])
	if s.batch > 0 || s.problem.N()*d > 1e5 {
		density = nil
	}
	names := a.names()
	sums := make([]struct{ seen, expected, variance float64 }, len(names))
	late := 0
	if k := s.delay(); k > 0 {
		late = k/s.thin + 1
	}
	n := 0.0
	rows := make([][]float64, len(a.draws.Chains))
	var to [1 + copies][]float64
	g, pull, grad := make([]float64, d), make([]float64, d), make([]float64, d)
	p := &a.right.params
	m := newMachine(s, target, stream, 0, make([]float64, d)) // one for all: its noise never comes again
	for k, c := range a.draws.Chains {
		of := change{}
		if density != nil {
			of.log = func(theta []float64) float64 {
				log := p.N * density.GradLogLik(g, theta, nil)
				for _, x := range theta {
					log -= float64(p.PriorPrec * x * x / 2)
				}
				return log / max(p.Temp, 1e-300)
			}
		}
		count := len(c) / d
		for t := max(1, late); t < count-1; t += stride {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			of.from = c[t*d:][:d]
			if of.before = c[(t-1)*d:][:d]; late > 0 {
				of.before = nil
			}
			at := c[(t-late)*d:][:d]
			target.Grad(grad, at, nil)
			for i, x := range at {
				pull[i] = float64(p.N*grad[i]) - float64(p.PriorPrec*x)
			}
			of.pull = pull
			if of.log != nil {
				of.at = of.log(of.from)
			}
			to[0] = of.features(c[(t+1)*d:][:d], to[0])
			times := 0
			if s.stale == rejected {
				for times <= t && distance(c[(t-times)*d:][:d], of.from) == 0 {
					times++
				}
				if times--; times > 3 || times == t {
					continue
				}
			}
			told := true
			for j := range copies {
				m.start(of.from)
				if told = told && (times == 0 || m.rejects(of.from, times)); !told {
					break
				}
				for range s.thin {
					if !m.step() {
						break
					}
				}
				for i := 0; s.dropped && !m.wrong.moved && i < 100 && m.step(); i++ {
				}
				to[1+j] = of.features(m.state.Theta, to[1+j])
			}
			if !told {
				continue
			}
			n++
			for f, x := range to[0] {
				mean, square := 0.0, 0.0
				for _, y := range to[1:] {
					mean += float64(y[f] / copies)
				}
				for _, y := range to[1:] {
					square += float64((y[f] - mean) * (y[f] - mean))
				}
				sums[f].seen += x
				sums[f].expected += mean
				sums[f].variance += float64(square / (copies - 1) * (1 + 1.0/copies))
				if f > onRise && names[f][:7] == "move of" {
					rows[k] = append(rows[k], x-mean)
				}
			}
		}
	}
	var facts []Fact
	for f, name := range names {
		s := sums[f]
		if f == 0 || f == 1 && s.seen+s.expected > 0 {
			s.variance++ // a rare event is not normal
		}
		if !(s.variance > 0) || n < 2 || f == onRise && density == nil {
			continue
		}
		se := math.Sqrt(s.variance)
		facts = append(facts, Fact{Name: name, Expected: s.expected / n, Found: s.seen / n, SE: se / n,
			Z: (s.seen - s.expected) / se})
	}
	return facts, rows, nil
}

// thinned is after how many steps, up to a number, the method has moved as far as the draws have.
func (a *again) thinned(ctx context.Context, most int) (best int) {
	s, d := *a.right, a.draws.Dim
	s.thin = 1
	far, made := 0.0, make([]float64, most)
	m := newMachine(&s, s.problem.F64, 77, 0, make([]float64, d))
	for from, to := range a.draws.steps(a.draws.Count() / 300) {
		if ctx.Err() != nil {
			break
		}
		far += distance(from, to)
		m.start(from)
		for k := range most {
			if !m.step() {
				break
			}
			made[k] += distance(from, m.state.Theta)
		}
	}
	best = 1
	for k := range made {
		if math.Abs(made[k]-far) < math.Abs(made[best-1]-far) {
			best = k + 1
		}
	}
	return best
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64((x - b[i]) * (x - b[i]))
	}
	return sum
}

// steps goes over the steps of all chains, or one in so many: the draws from which and to which each leads.
func (d Draws) steps(stride int) iter.Seq2[[]float64, []float64] {
	return func(yield func(from, to []float64) bool) {
		for _, c := range d.Chains {
			for ; len(c) >= 2*d.Dim; c = c[min(len(c), max(stride, 1)*d.Dim):] {
				if !yield(c[:d.Dim], c[d.Dim:][:d.Dim]) {
					return
				}
			}
		}
	}
}

// twins are the first chains whose draws are the same numbers from the first ones on, and move. Chains of one stream of
// noise may only come to be the same.
func (d Draws) twins() []int {
	for a, x := range d.Chains {
		n := min(len(x)/d.Dim, 100) * d.Dim
		if n < 10*d.Dim || slices.Equal(x[:n-d.Dim], x[d.Dim:n]) {
			continue
		}
		alike := []int{a}
		for b, y := range d.Chains[a+1:] {
			if len(y) >= n && slices.Equal(x[:n], y[:n]) {
				alike = append(alike, a+1+b)
			}
		}
		if len(alike) > 1 {
			return alike
		}
	}
	return nil
}
