package lane

import (
	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// sideBySide makes most of the steps of a lane whose kernel is a sampler.Joint: those of all chains side by side,
// many at a time, on a copy of their states. The last step of every stretch is left to the chains themselves, whose
// kernels report it. So is a stretch in which a chain diverges.
type sideBySide[F sampler.Float] struct {
	lane   *lane[F]
	joined sampler.State[F]
	kernel sampler.Joint[F]
	noise  *noise.Normals[F]
	grad   gradient.Gradient[F]
	path   []F       // of a stretch: θ after each step
	line   []float64 // is path
}

// newJoint prepares the chains to go side by side. It is nil where more belongs to a step or a draw than kernel and
// density.
func (l *lane[F]) newJoint() *sideBySide[F] {
	if l.outside != nil || l.Problem.HasData() || l.Problem.Scale != nil || !l.records.Strides() {
		return nil
	}
	kernel, ok := record.NewKernel[F](l.Method, l.Target).(sampler.Joint[F])
	if !ok {
		return nil
	}
	n := len(l.Chains) * l.Target.Dim()
	j := &sideBySide[F]{lane: l, kernel: kernel, line: sampler.Vector[float64](n * record.BlockCap)}
	if j.path, ok = any(j.line).([]F); !ok {
		return nil
	}
	j.joined = sampler.State[F]{Theta: sampler.Vector[F](n), V: sampler.Vector[F](n)}
	j.noise = noise.Join(list.Map(l.Chains, func(c *record.Chain[F]) *noise.Normals[F] { return c.Noise }))
	j.grad = gradient.Join(list.Map(l.Chains, func(c *record.Chain[F]) *gradient.Gradient[F] { return &c.Grad }), &j.joined)
	return j
}

func (j *sideBySide[F]) steps(n uint64) (done uint64, bad *record.Chain[F]) {
	if !j.lane.Setting.Schedule.Constant() {
		return inTurn[F]{j.lane}.steps(n)
	}
	done = j.together(n)
	one, bad := inTurn[F]{j.lane}.steps(1)
	return done + one, bad
}

// together makes at most n-1 steps of all chains and takes their draws, and returns how many. There is at least one
// more step to the next point of the curves and to full blocks.
func (j *sideBySide[F]) together(n uint64) uint64 {
	first := j.lane.nextKeep - j.lane.Step() // to a draw
	if j.lane.nextKeep <= j.lane.Passage.Until() {
		n = min(n, first)
	} else {
		n = min(n, first+(j.lane.records.Room()-1)*j.lane.Thin)
	}
	n = min(n-1, record.BlockCap)
	if n == 0 {
		return 0
	}
	for k, c := range j.lane.Chains {
		d := len(c.State.Theta)
		copy(j.joined.Theta[k*d:], c.State.Theta)
		copy(j.joined.V[k*d:], c.State.V)
	}
	j.joined.Step = j.lane.Step()
	j.kernel.Steps(&j.joined, &j.grad, &j.lane.Params, j.noise, j.path, int(n))
	row := len(j.joined.Theta)
	line := j.line[:int(n)*row]
	// The sum alone sees NaN.
	if least, most, sum := metrics.Extent(line); !sampler.Usable(least, most, sum/float64(len(line))) {
		return 0
	}
	for k, c := range j.lane.Chains {
		d := len(c.State.Theta)
		copy(c.State.Theta, j.joined.Theta[k*d:])
		copy(c.State.V, j.joined.V[k*d:])
		c.State.Step += n
		c.Gradients += n
	}
	if first <= n {
		draws := (n-first)/j.lane.Thin + 1
		j.lane.records.KeepStride(j.path[int(first-1)*row:int(n)*row], draws)
		j.lane.nextKeep += draws * j.lane.Thin
	}
	return n
}
