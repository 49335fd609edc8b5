package langevin

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// On a regression the noise of minibatches of n widens SGLD's draws. To first order it adds εN/(4n) to the variance of
// each coordinate, which is 1/h or more where the negative log posterior's second derivative is h. The default ε adds
// widening of that variance at the largest h, with batches of leastBatch. Larger ones, and other coordinates, are
// widened less.
const (
	widening   = 0.08
	leastBatch = 10
)

// suitPlain is Suit of SGLD: ε = 4·widening·n/(Nh).
func suitPlain(p *targets.Problem, values map[string]float64) {
	if h := p.Curvature; h > 0 {
		values[sampler.KeyEps] = param.Round(4*widening*batchOf(values)/(float64(p.N())*h), 2)
	}
}

// suitPreconditioned is Suit of SGLD with RMSprop's preconditioner. V is about h/(nN), so that G = √(nN/h) and SGLD's
// step of ε is one of ε/G here. V must remember more draws than usual: with one of a rare feature's few rows it grows
// and makes G less, which moves that weight's mean by about (1-α)√(N/n)/2 standard deviations times the skewness of
// the minibatches' gradient.
func suitPreconditioned(p *targets.Problem, values map[string]float64) {
	if h := p.Curvature; h > 0 {
		n := float64(p.N())
		values[sampler.KeyEps] = param.Round(4*widening/(n*math.Sqrt(h*n/batchOf(values))), 2)
		values["alpha"] = 0.999
	}
}

// batchOf is the minibatch for which ε is made.
func batchOf(values map[string]float64) float64 { return min(values[sampler.KeyBatch], leastBatch) }

// suitMomentum is Suit of methods whose velocity lasts for about 1/a steps and gathers the noise of their gradients. A
// step of SGLD's size is too hot. A friction a widens draws by SGLD's widening over a, so that a regression has a of
// its step. With other data it has 0.3: on MNIST's 784-400-400-10, 100 epochs at T = 1 and h = 0.03 gave 1.81% (SGHMC)
// and 1.69% (SGNHT), on one seed.
func suitMomentum(p *targets.Problem, values map[string]float64) {
	suitPlain(p, values)
	if share := 0.3; p.HasData() {
		if a, ok := values["friction"]; ok && p.Curvature > 0 {
			share = a
		}
		values[sampler.KeyEps] = param.Round(share*values[sampler.KeyEps], 2)
	}
}
