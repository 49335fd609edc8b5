package program

import (
	"github.com/psgld/psgld-tui/engine/sampler"
)

// A method is how a sampler's step is written, in the notation of language. The words are g, the gradient ḡ of the
// step, second, the one that V sees, h, the diagonal of the mean log-likelihood's Hessian, and force, N ḡ - θ/σ².
type method struct {
	name string
	// exact says that the step takes logp and grad of the whole posterior.
	exact bool
	// settings are the keys of the settings that it has beside the common ones.
	settings []string
	begin    func(s settings) []string // before the first step
	step     func(p *page, s settings)
}

// settings are the values of a lane.
type settings map[string]float64

func (s settings) temp() float64 { return s[sampler.KeyTemp] }

// corrected reports whether the step has the term T Γ.
func (s settings) corrected() bool { return s["gamma"] != 0 && s.temp() > 0 }

// heated is a step with its noise, unless the temperature is 0.
func (s settings) heated(step, noise string) string {
	if s.temp() == 0 {
		return step
	}
	return step + " + " + noise
}

// moments are the lines that make V and G.
func moments(s settings) (lines []string) {
	if s["v0"] != 0 {
		lines = append(lines, "if t == 1: V = second^2")
	}
	v := "V = alpha*V + (1 - alpha)*second^2 # running mean of squared gradients"
	if s["freeze"] > 0 {
		v = "if t <= freeze: " + v
	}
	return append(lines, v, "G = 1/(lambda + sqrt(V)) # preconditioner")
}

func startMoments(settings) []string  { return []string{"V = zeros"} }
func startVelocity(settings) []string { return []string{"v = zeros"} }

var methods = []method{
	{
		name: "psgld", settings: []string{"alpha", "lambda", "freeze"}, begin: startMoments,
		step: func(p *page, s settings) {
			p.let(moments(s)...)
			drift := "theta + eps/2*G*force"
			if s.corrected() {
				gamma := "Gamma = -(1 - alpha)*second*h/sqrt(V + 1e-300)*G^2 # the slope of G"
				if s["freeze"] > 0 {
					gamma = "Gamma = -(1 - alpha)*second*h/sqrt(V + 1e-300)*G^2*(t <= freeze) # the slope of G"
				}
				p.let(gamma)
				drift = "theta + eps/2*(G*force + temp*Gamma)"
			}
			p.let("theta = " + s.heated(drift, "sqrt(temp*eps*G)*normal"))
		},
	},
	{
		name: "sgld",
		step: func(p *page, s settings) {
			p.let("theta = " + s.heated("theta + eps/2*force", "root(temp*eps)*normal"))
		},
	},
	{
		name: "sghmc", settings: []string{"friction", "noise-estimate"}, begin: startVelocity,
		step: func(p *page, s settings) {
			step := "v = (1 - friction)*v + eps/2*force"
			switch b := s["noise-estimate"]; {
			case b == 0:
				step = s.heated(step, "root(temp*friction*eps)*normal")
			case b < s["friction"]:
				step = s.heated(step, "root(temp*(friction - noise_estimate)*eps)*normal")
			}
			p.let(step, "theta = theta + v")
		},
	},
	{
		name: "sgnht", settings: []string{"diffusion", "rate"},
		begin: func(s settings) []string {
			if s["thermostat"] == 0 {
				return []string{"v = zeros", "xi = diffusion*ones # one thermostat, the same for each coordinate"}
			}
			return []string{"v = zeros", "xi = diffusion*ones # a thermostat for each coordinate"}
		},
		step: func(p *page, s settings) {
			p.let(s.heated("v = (1 - stopped)*v + eps/2*force", "root(temp*diffusion*eps)*normal"), "theta = theta + v")
			switch {
			case s.temp() == 0: // it rests
			case s["thermostat"] == 0:
				p.let("xi = xi + rate*((2 - stopped)*mean(v^2)/(temp*eps) - 1)")
			default:
				p.let("xi = xi + rate*((2 - stopped)*v^2/(temp*eps) - 1)")
			}
		},
	},
	{
		name: "mala", exact: true,
		step: func(p *page, s settings) {
			p.let(
				"forward = theta + eps/2*grad(theta) # the mean of the proposal",
				"q = forward + root(temp*eps)*normal",
				"back = q + eps/2*grad(q) # the mean of the way back",
				"ratio = logp(q) - logp(theta) + (sum((q - forward)^2) - sum((theta - back)^2))/(2*eps)",
			)
			accept(p, "log_uniform < ratio/temp")
		},
	},
	{
		name: "hmc", exact: true, settings: []string{"leapfrog"},
		step: func(p *page, s settings) {
			p.let("w = root(temp)*normal # momentum, at unit mass", "q = theta", "energy = -logp(theta) + sum(w^2)/2",
				"w = w + root(eps)/2*grad(q)", "L = path_length")
			p.within("for l in range(L)", "for (l in 1:L)", func() {
				p.let("q = q + root(eps)*w", "w = w + root(eps)*grad(q)")
			})
			p.let("w = w - root(eps)/2*grad(q)", "rise = -logp(q) + sum(w^2)/2 - energy")
			accept(p, "log_uniform < -rise/temp")
		},
	},
	{
		name: "sgd", settings: []string{"momentum"},
		begin: func(s settings) []string {
			if s["momentum"] == 0 {
				return nil
			}
			return startVelocity(s)
		},
		step: func(p *page, s settings) { descend(p, s, "eps/2*force") },
	},
	{
		name: "rmsprop", settings: []string{"alpha", "lambda", "momentum", "freeze"},
		begin: func(s settings) []string {
			if s["momentum"] == 0 {
				return startMoments(s)
			}
			return append(startMoments(s), startVelocity(s)...)
		},
		step: func(p *page, s settings) {
			p.let(moments(s)...)
			descend(p, s, "eps/2*G*force")
		},
	},
}

// descend takes an optimiser's step, with momentum or without.
func descend(p *page, s settings, by string) {
	if s["momentum"] == 0 {
		p.let("theta = theta + " + by)
		return
	}
	p.let("v = momentum*v + "+by, "theta = theta + v")
}

// accept takes the proposal q where a condition holds, and not where it is no number.
func accept(p *page, condition string) {
	if condition = p.say(condition, p.special); p.isR {
		p.put("if (isTRUE(" + condition + ")) theta <- q")
	} else {
		p.put("if " + condition + ": theta = q")
	}
}
