package variational

import (
	"math"
	"slices"
	"testing"
)

// Powell's damping leaves a pair with sᵀy = 0.2 sᵀFs exactly, and y on the line from
// Fs to the y that was; a pair of more curvature is left as it is.
func TestPowellsDamping(t *testing.T) {
	damped, plain := 0, 0
	for _, spec := range []string{"funnel", "banana", "mixture"} {
		g := onProblem(t, spec)
		for _, full := range []bool{false, true} {
			for seed := range uint64(6) {
				p := ownParams(t, LBFGSSGVI, 1, map[string]float64{"damping": 0.05})
				k := &quasiNewton{normalFamily: newNormalFamily(2, true)}
				copy(k.z, normals(2, seed+1))
				from := k.member(full, seed+20)
				to := slices.Clone(from)
				for i, x := range normals(len(to), seed+40) {
					to[i] += 0.3 * x
				}
				n := len(to)
				k.d, k.y, k.inverse = make([]float64, n), make([]float64, n), make([]float64, n)
				k.metric(to)
				if !k.makePair(from, to, g, p) {
					t.Fatal("no pair")
				}
				f := newNormalFamily(2, true)
				copy(f.z, k.z)
				was, grad, fs := make([]float64, n), make([]float64, n), make([]float64, n)
				f.evaluate(from, g, p)
				f.gradient(was, from, p)
				f.evaluate(to, g, p)
				f.gradient(grad, to, p)
				sy, sfs := 0.0, 0.0
				for i := range n {
					s := to[i] - from[i]
					fs[i] = s / k.inverse[i]
					was[i] += 0.05*fs[i] - grad[i]
					sy += s * was[i]
					sfs += s * fs[i]
				}
				want, share := sy, 1.0
				if sy < 0.2*sfs {
					// share sᵀy + (1-share) sᵀFs = 0.2 sᵀFs.
					want, share = 0.2*sfs, 0.8/(1-sy/sfs)
					damped++
				} else {
					plain++
				}
				// Roundings of terms whose sizes add up to this.
				size := math.Abs(sy) + sfs
				if got := dot(k.d, k.y); math.Abs(got-want) > 1e-13*size {
					t.Errorf("%s, full %v, seed %d: sᵀy = %.15g, want %.15g, of sᵀFs = %g", spec, full, seed,
						got, want, sfs)
				}
				for i, y := range k.y {
					want := share*was[i] + (1-share)*fs[i]
					if math.Abs(y-want) > 1e-12*(math.Abs(was[i])+math.Abs(fs[i])) {
						t.Errorf("%s, full %v, seed %d: y_%d = %.15g, want %.15g", spec, full, seed, i, y, want)
					}
				}
			}
		}
	}
	if damped < 5 || plain < 5 {
		t.Errorf("%d pairs damped and %d not: too few of either", damped, plain)
	}
}

// No step changes a log C_ii by more than "trust". A step of root mean square Δ can
// do so from three dimensions on: one of log C_11 alone has the length |Δ log C_11|
// √(2/D), so that at D = 50 it is cut to five times Δ as a whole, and then to Δ.
func TestTrustOfEachScale(t *testing.T) {
	const dim, trust = 50, 0.1
	for _, full := range []bool{false, true} {
		p := ownParams(t, LBFGSSGVI, 1, map[string]float64{"trust": trust})
		k := &quasiNewton{normalFamily: newNormalFamily(dim, true)}
		psi := k.member(full, 3)
		k.d, k.inverse = make([]float64, len(psi)), make([]float64, len(psi))
		k.metric(psi)
		big, negative, small, mu := k.diagonal(psi, 0), k.diagonal(psi, 7), k.diagonal(psi, 9), 4
		k.d[big], k.d[negative], k.d[small], k.d[mu] = 3, -2, 0.01, 0.02
		// ‖step‖² is 2·3² + 2·2² and little more.
		size := math.Sqrt((2*(9+4+1e-4) + 4e-4/k.inverse[mu]) / dim)
		h := k.clip(1, p)
		for _, c := range []struct {
			at   int
			want float64
		}{{big, trust}, {negative, -trust}, {small, trust / size * 0.01}, {mu, trust / size * 0.02}} {
			if got := h * k.d[c.at]; math.Abs(got-c.want) > 1e-14 {
				t.Errorf("full %v: entry %d moves by %.15g, want %.15g", full, c.at, got, c.want)
			}
		}

		// The same of hfsgvi, whose entries are β = b/s_b.
		hp := ownParams(t, HFSGVI, 1, map[string]float64{"trust": trust, "ratio": 0.5})
		f := newNormalFamily(dim, true)
		hf := &hessianFree{normalFamily: &f, whitened: newWhitened(&f)}
		hf.whitened.center(make([]float64, 4*dim), psi, hp)
		sb := math.Sqrt(0.25)
		hf.delta = make([]float64, hf.whitened.size(psi))
		hf.delta[dim], hf.delta[dim+7], hf.delta[dim+9], hf.delta[mu] = 3/sb, -2/sb, 0.01/sb, 0.02
		size = math.Sqrt((2*(9+4+1e-4) + 4e-4) / dim)
		h = hf.clip(1, hp)
		for _, c := range []struct{ got, want float64 }{
			{h * sb * hf.delta[dim], trust}, {h * sb * hf.delta[dim+7], -trust},
			{h * sb * hf.delta[dim+9], trust / size * 0.01}, {h * hf.delta[mu], trust / size * 0.02},
		} {
			if math.Abs(c.got-c.want) > 1e-14 {
				t.Errorf("hfsgvi, full %v: an entry moves by %.15g, want %.15g", full, c.got, c.want)
			}
		}
	}
}
