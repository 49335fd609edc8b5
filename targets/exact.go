package targets

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mathext"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Exact is a target of which independent draws can be made.
type Exact interface {
	// Exact writes a draw to dst, made of Dim + 1 independent standard normals z.
	Exact(dst, z []float64)
}

// Exact implements [Exact] by the Cholesky factor of Σ.
func (g *Gaussian) Exact(dst, z []float64) {
	s := math.Sqrt(g.cov[0])
	dst[0] = s * z[0]
	dst[1] = float64(g.cov[1]/s*z[0]) + float64(math.Sqrt(-1/g.h11)*z[1]) // -1/h11 is the variance of θ₂ given θ₁
}

// Exact implements [Exact].
func (t *Banana) Exact(dst, z []float64) {
	x := t.s1 * z[0]
	dst[0], dst[1] = x, float64(t.b*x*x)+float64(t.s2*z[1])
}

// Exact implements [Exact]. The last of z chooses the component.
func (t *Mixture) Exact(dst, z []float64) {
	at, s := -t.gap/2, t.s1
	if 0.5*math.Erfc(-z[2]/math.Sqrt2) > t.w {
		at, s = t.gap/2, t.s2
	}
	dst[0], dst[1] = at+float64(s*z[0]), s*z[1]
}

// Exact implements [Exact].
func (t *Funnel) Exact(dst, z []float64) {
	v := t.s * z[1]
	dst[0], dst[1] = libm.Exp(v/2)*z[0], v
}

// bases are the bases of Sample's Halton sequence, one for each coordinate and one more.
var bases = [...]int{2, 3, 5, 7, 11, 13}

// haltonNormal is the normal quantile of k + 1 with its digits mirrored at the point.
func haltonNormal(k, base int) float64 {
	u, unit := 0.0, 1.0
	for m := k + 1; m > 0; m /= base {
		unit /= float64(base)
		u += float64(unit * float64(m%base))
	}
	return mathext.NormalQuantile(u)
}

// firstNormals are the normals of the first points, for targets in the plane. All lanes of a sweep share them.
var firstNormals = sync.OnceValue(func() [][3]float64 {
	all := make([][3]float64, 1<<14)
	for k := range all {
		for i := range all[k] {
			all[k][i] = haltonNormal(k, bases[i])
		}
	}
	return all
})

// Sample returns n draws of a target of dim coordinates, at most 5, one column a coordinate. They
// cover it more evenly than random draws, since their normals are quantiles of the points of a Halton
// sequence (Halton 1960, Numerische Mathematik 2:84).
func Sample(t Exact, dim, n int) [][]float64 {
	x, z, at := make([][]float64, dim), make([]float64, dim+1), make([]float64, dim)
	for i := range x {
		x[i] = make([]float64, 0, n)
	}
	for k := range n {
		if row := firstNormals(); k < len(row) && dim < len(row[k]) {
			copy(z, row[k][:])
		} else {
			for i := range z {
				z[i] = haltonNormal(k, bases[i])
			}
		}
		t.Exact(at, z)
		for i, v := range at {
			x[i] = append(x[i], v)
		}
	}
	return x
}
