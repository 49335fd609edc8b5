// Command _gen writes the SIMD forms of package step32's passes: the same operations in
// the same order on many coordinates at a time, so that the steps are the same bits.
// The first argument names the file: steps, momentum, meanfield, neon for all of these, or
// dispatch.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/engine/noise/_gen/simd"
	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

func main() {
	name := neon.Argument()
	if name == "dispatch" {
		neon.Dispatch("step32", dispatch)
		return
	}
	ConstraintExpr("!noasm")
	vecs := simd.Vecs(name == "neon")
	for i, emit := range []func(vecs []simd.Vec){steps, momenta, meanFields} {
		if name == "neon" || name == []string{"steps", "momentum", "meanfield"}[i] {
			emit(vecs)
		}
	}
	neon.Generate()
}

// The parameters of the functions.
const (
	displaceParameters  = "theta, mean, v, own, second, gain *float32, n int, numbers, sums *float32"
	langevinParameters  = "theta, v, mean, second *float32, n int, numbers, sums *float32, " + noiseParameters
	momentumParameters  = "theta, v, mean *float32, n int, numbers, sums *float32, " + noiseParameters
	meanFieldParameters = "theta, z, mean, mu, rho, muV, rhoV *float32, n int, numbers, sums *float32"
	drawParameters      = "theta, z, mu, rho *float32, n int"

	noiseParameters = "schedule *uint32, block uint32"
)

// begin begins a function of this name and path.
func begin(name, parameters, doc string) {
	TEXT(name, attr.NOSPLIT, "func("+parameters+")")
	Pragma("noescape")
	Doc(name + " is " + doc + ".")
}

// A sweep is a function that steps groups of coordinates and reports in sums. Those are
// terms, of Group/2 lanes, and then extremes, of half as many lanes, since the order of
// extremes does not matter.
type sweep struct {
	simd.Vec
	terms, extremes int

	vectors       []reg.Register // where the next group is
	numbers, sums reg.Register
	held          []simd.Reg // the extremes; nil to have them in memory
}

// vector loads the address of a parameter that is a vector.
func (s *sweep) vector(name string) reg.Register {
	p := Load(Param(name), GP64())
	s.vectors = append(s.vectors, p)
	return p
}

// loop emits the rest of the function. hold says whether there are registers for the
// extremes. step emits the step of the coordinates at an offset in bytes and adds to sum. It
// asks for their normals where it needs them; nil stands for none.
func (s *sweep) loop(noise, hold bool, ahead int, step func(v simd.Vec, z func() simd.Reg, at int, sum []simd.Reg)) {
	groups := Load(Param("n"), GP64())
	s.numbers, s.sums = Load(Param("numbers"), GP64()), Load(Param("sums"), GP64())
	for q := range s.extremes {
		if hold {
			s.held = append(s.held, s.Part().Load(s.sum(s.terms+q, 0)))
		}
	}
	piece := func(i int, cos, sin func() simd.Reg) {
		v := s.Part()
		for p := range s.Parts {
			k := i*s.Parts + p
			sum := make([]simd.Reg, s.terms)
			half := func(half int, normals func() simd.Reg) func() {
				return func() {
					var z func() simd.Reg
					if normals != nil {
						z = func() simd.Reg { return normals()[p : p+1] }
					}
					step(v, z, 4*(simd.Group/2*half+s.Lanes*k), sum)
				}
			}
			first, second := half(0, cos), half(1, sin)
			if s.Many() || noise { // there are other instructions in between, or registers are few
				first()
				second()
			} else { // the halves do not depend on each other
				v.InTurns(1, first, second)
			}
			for q, x := range sum {
				if x != nil {
					v.Store(v.Do(simd.Add, x, s.sum(q, k)), s.sum(q, k))
				}
			}
		}
	}
	next := func() {
		for _, p := range s.vectors {
			ADDQ(U32(4*simd.Group), p)
		}
	}
	if noise {
		schedule, block := Load(Param("schedule"), GP64()), Load(Param("block"), GP32())
		s.Groups(groups, schedule, block, ahead, piece, next)
	} else {
		Label("group")
		for i := range simd.Group / 2 / s.Size() {
			piece(i, nil, nil)
		}
		next()
		DECQ(groups)
		JNZ(LabelRef("group"))
	}
	for q, x := range s.held {
		s.Store(x, s.sum(s.terms+q, 0))
	}
	VZEROUPPER()
	RET()
}

// crowded reports whether the making of normals leaves so few registers that a step reads
// again what it has read.
func (s *sweep) crowded(z func() simd.Reg) bool { return z != nil && !s.Many() }

func (s *sweep) par(i int) simd.Shared { return simd.Shared(Mem{Base: s.numbers, Disp: 32 * i}) }

// sum is where the k-th register of a sum is.
func (s *sweep) sum(q, k int) Mem {
	if q >= s.terms {
		return Mem{Base: s.sums, Disp: 4 * simd.Group / 2 * (q + s.terms) / 2}
	}
	return Mem{Base: s.sums, Disp: 4 * (simd.Group/2*q + s.Lanes*k)}
}

// add emits the addition of a term to a sum in registers.
func (s *sweep) add(sum []simd.Reg, q int, term simd.Reg) {
	if sum[q] != nil {
		term = s.Do(simd.Add, sum[q], term)
	}
	sum[q] = term
}

// fold emits what takes an addition's place in an extreme.
func (s *sweep) fold(q int, o simd.Operation, x simd.Reg) {
	if s.held != nil {
		s.Into(s.held[q-s.terms], o, x, s.held[q-s.terms])
	} else {
		s.Store(s.Do(o, x, s.sum(q, 0)), s.sum(q, 0))
	}
}

// magnitude emits the bits of |x|.
func (s *sweep) magnitude(x simd.Reg) simd.Reg { return s.Do(simd.And, x, s.Bits(1<<31-1)) }
