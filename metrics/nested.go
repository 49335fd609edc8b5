package metrics

import (
	"fmt"
	"math"
)

// NestedRHat is the R-hat for many short chains of Margossian, Hoffman, Sountsov, Riou-Durand, Vehtari
// and Gelman (2024, Bayesian Analysis, doi:10.1214/24-BA1453, equations 15 to 19). chains has K groups
// ("superchains") of M chains with N draws each. The chains of a group started at one point, and the
// points are overdispersed. With the means x̄_k of groups and x̄_km of chains,
//
//	R̂ = √(1 + B/W),   B the variance of the x̄_k over groups,
//	W = mean over groups of (variance of the x̄_km over m) + (mean over m of the variance of the draws of chain km),
//
// where the variance of one value is 0.
//
// For stationary chains B/W is about 1/(M ESS), where ESS is that of one chain. So R̂ is compared with
// √(1 + 1/(M ESS)) for the least ESS a chain that is wanted, and not with RHatBound. Short chains can
// be judged as long as there are many.
//
// Draws are not replaced by their ranks, as they are not in posterior. The estimate is Constant if the
// draws do not vary within the groups, and NotFinite if one is not finite.
func NestedRHat(chains [][][]float64) Estimate {
	if len(chains) < 2 {
		panic(fmt.Sprintf("metrics: nested R-hat of %d groups of chains, want 2 or more", len(chains)))
	}
	m, n := len(chains[0]), 0
	if m > 0 {
		n = len(chains[0][0])
	}
	if n == 0 {
		return Withheld(TooShort, 0)
	}
	if m == 1 && n == 1 {
		return Withheld(TooShort, uint64(len(chains))) // nothing within groups
	}
	means, within := make([]float64, len(chains)), 0.0
	ofChains := make([]float64, m)
	for k, group := range chains {
		if len(group) != m {
			panic(fmt.Sprintf("metrics: groups of %d and %d chains", m, len(group)))
		}
		for i, x := range group {
			if len(x) != n {
				panic(fmt.Sprintf("metrics: chains of %d and %d draws", n, len(x)))
			}
			mean, v := meanVar(x)
			ofChains[i] = mean
			if n > 1 {
				within += v / float64(m)
			}
		}
		mean, v := meanVar(ofChains)
		means[k] = mean
		if m > 1 {
			within += v
		}
	}
	within /= float64(len(chains))
	_, between := meanVar(means)
	draws := uint64(len(chains) * m * n)
	switch {
	case !finite(between) || !finite(within):
		return Withheld(NotFinite, draws)
	case within == 0:
		return Withheld(Constant, draws)
	}
	return known(math.Sqrt(1+between/within), draws)
}
