package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/engine/noise/_gen/simd"
)

// lanes is how many coordinates have sums of their own.
const lanes = 32

// meanFields emits the functions of the mean-field step and of its draws.
func meanFields(vecs []simd.Vec) {
	for _, v := range vecs {
		v = v.Part()
		draw(v)
		for _, mixture := range []bool{false, true} {
			meanField{Vec: v, mixture: mixture}.emit()
		}
	}
}

// loop emits a loop over n groups of lanes coordinates, whose vectors are at the
// pointers.
func loop(v simd.Vec, n reg.Register, pointers []reg.Register, piece func(i int)) {
	Label("group")
	for i := range lanes / v.Size() {
		piece(i)
	}
	for _, p := range pointers {
		ADDQ(U32(4*lanes), p)
	}
	DECQ(n)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

func draw(v simd.Vec) {
	begin("draw"+v.Suffix, drawParameters, "drawGeneric on n groups")
	theta, z := Load(Param("theta"), GP64()), Load(Param("z"), GP64())
	mu, rho := Load(Param("mu"), GP64()), Load(Param("rho"), GP64())
	n := Load(Param("n"), GP64())
	loop(v, n, []reg.Register{theta, z, mu, rho}, func(i int) {
		at := 4 * v.Size() * i
		sd, _ := v.Softplus(v.Load(Mem{Base: rho, Disp: at}))
		sd = v.Do(simd.Mul, sd, v.Load(Mem{Base: z, Disp: at}))
		v.Store(v.Do(simd.Add, v.Load(Mem{Base: mu, Disp: at}), sd), Mem{Base: theta, Disp: at})
	})
}

// The numbers of a step32.MeanField, in its order.
const (
	meanFieldAlpha = iota
	meanFieldBeta
	meanFieldLambda
	meanFieldUnbias
	meanFieldLr
	meanFieldLrRho
	meanFieldTemp
	meanFieldPrior
	meanFieldMore
	meanFieldOdds
	meanFieldSlope
	meanFieldHalf
)

// The parts of step32.MeanFieldSums, in its order. The first four have all lanes, and
// the others, of which the order does not matter, half as many.
const (
	meanFieldDrift = iota
	meanFieldInject
	meanFieldEntropy
	meanFieldPriors
	meanFieldLeast
	meanFieldGreatest
	meanFieldFarthest

	meanFieldTerms = meanFieldLeast
)

// A meanField is an update to emit.
type meanField struct {
	simd.Vec
	mixture bool

	theta, z, mean, mu, rho, muV, rhoV, numbers, sums reg.Register
}

func (f meanField) emit() {
	name, of := "meanField", ""
	if f.mixture {
		name, of = "meanFieldMixture", " with a prior of two components"
	}
	begin(name+f.Suffix, meanFieldParameters,
		"MeanField.generic on n groups"+of)
	f.theta, f.z, f.mean = Load(Param("theta"), GP64()), Load(Param("z"), GP64()), Load(Param("mean"), GP64())
	f.mu, f.rho = Load(Param("mu"), GP64()), Load(Param("rho"), GP64())
	f.muV, f.rhoV = Load(Param("muV"), GP64()), Load(Param("rhoV"), GP64())
	n := Load(Param("n"), GP64())
	f.numbers, f.sums = Load(Param("numbers"), GP64()), Load(Param("sums"), GP64())
	loop(f.Vec, n, []reg.Register{f.theta, f.z, f.mean, f.mu, f.rho, f.muV, f.rhoV}, f.piece)
}

func (f meanField) at(p reg.Register, i int) Mem { return Mem{Base: p, Disp: 4 * f.Size() * i} }

// piece emits the update of Size coordinates.
func (f meanField) piece(i int) {
	rho := f.Load(f.at(f.rho, i))
	sd, deriv := f.Softplus(rho)
	f.count(meanFieldEntropy, i, f.Log(sd))
	z := f.Load(f.at(f.z, i))
	noise := f.Do(simd.Mul, z, sd)
	f.count(meanFieldInject, i, f.Do(simd.Mul, noise, noise))
	mu, like, w := f.Load(f.at(f.mu, i)), f.Load(f.at(f.mean, i)), f.Load(f.at(f.theta, i))
	f.fold(meanFieldFarthest, simd.Max32, i, f.Do(simd.And, w, f.Bits(1<<31-1)))
	var byMu, bySD simd.Reg
	if f.mixture {
		w2 := f.Do(simd.Mul, w, w)
		log, second := f.Softplus(f.Do(simd.Add, f.Do(simd.Mul, w2, f.par(meanFieldSlope)), f.par(meanFieldOdds)))
		f.count(meanFieldPriors, i, f.Do(simd.Sub, log, f.Do(simd.Mul, w2, f.par(meanFieldHalf))))
		prec := f.Do(simd.Add, f.Do(simd.Mul, second, f.par(meanFieldMore)), f.par(meanFieldPrior))
		byMu = f.Do(simd.Sub, like, f.Do(simd.Mul, prec, w))
		bySD = f.Do(simd.Mul, byMu, z)
	} else {
		f.count(meanFieldPriors, i, f.Do(simd.Add, f.Do(simd.Mul, mu, mu), f.Do(simd.Mul, sd, sd)))
		byMu = f.Do(simd.Sub, like, f.Do(simd.Mul, mu, f.par(meanFieldPrior)))
		bySD = f.Do(simd.Sub, f.Do(simd.Mul, like, z), f.Do(simd.Mul, sd, f.par(meanFieldPrior)))
	}
	byRho := f.Do(simd.Mul, f.Do(simd.Add, bySD, f.Do(simd.Div, f.Spread(f.par(meanFieldTemp)), sd)), deriv)

	g := f.gain(f.at(f.muV, i), byMu)
	f.fold(meanFieldLeast, simd.Min, i, g)
	f.fold(meanFieldGreatest, simd.Max, i, g)
	d := f.Do(simd.Mul, f.Do(simd.Mul, byMu, g), f.par(meanFieldLr))
	f.count(meanFieldDrift, i, f.Do(simd.Mul, d, d))
	f.move(f.at(f.mu, i), i, mu, d)
	g = f.gain(f.at(f.rhoV, i), byRho)
	f.move(f.at(f.rho, i), i, rho, f.Do(simd.Mul, f.Do(simd.Mul, byRho, g), f.par(meanFieldLrRho)))
}

// move emits x + d to where x is.
func (f meanField) move(to Mem, i int, x, d simd.Reg) {
	x = f.Do(simd.Add, x, d)
	f.Store(x, to)
	f.fold(meanFieldFarthest, simd.Max32, i, f.Do(simd.And, x, f.Bits(1<<31-1)))
}

// gain emits V = αV + βu², 0 if it would be denormal, and returns G = 1/(λ+√(cV)).
func (f meanField) gain(at Mem, u simd.Reg) simd.Reg {
	v := f.Do(simd.Mul, f.Load(at), f.par(meanFieldAlpha))
	v = f.Do(simd.Add, v, f.Do(simd.Mul, f.Do(simd.Mul, u, f.par(meanFieldBeta)), u))
	v = f.ZeroBelow(f.Float(0x1p-126), v)
	f.Store(v, at)
	root := f.Sqrt(f.Do(simd.Mul, v, f.par(meanFieldUnbias)))
	return f.Do(simd.Div, f.Spread(f.Float(1)), f.Do(simd.Add, root, f.par(meanFieldLambda)))
}

func (f meanField) par(i int) simd.Shared { return simd.Shared(Mem{Base: f.numbers, Disp: 32 * i}) }

// count adds a term to a sum.
func (f meanField) count(q, i int, x simd.Reg) {
	to := Mem{Base: f.sums, Disp: 4 * (lanes*q + f.Size()*i)}
	f.Store(f.Do(simd.Add, x, to), to)
}

// fold emits what takes an addition's place in a sum whose order does not matter.
func (f meanField) fold(q int, o simd.Operation, i int, x simd.Reg) {
	to := Mem{Base: f.sums, Disp: 4 * (lanes*meanFieldTerms + lanes/2*(q-meanFieldTerms) + f.Size()*i%(lanes/2))}
	f.Store(f.Do(o, x, to), to)
}
