package sampler

import "github.com/psgld/psgld-tui/targets/param"

// averageEvery is how many steps go by from one turn of an average to the next.
const averageEvery = 10

// AverageParam declares over how many steps an average over the path is taken, for
// AverageShare.
func AverageParam(key, doc string) param.Param {
	return param.Param{Key: key, Symbol: "avg", Doc: doc, ByTarget: true, Scale: param.Integer, Zero: "never", Min: 0, Max: param.MaxInteger, Lo: 10, Hi: 1e6}
}

// AverageShare is the share that the newest value x has in the average m of a path
// (Polyak and Juditsky 1992), m' = m + share (x - m): over 0 steps m is x, and else
// every averageEvery-th step x is one of all such values up to step t of the path,
// and at t > over one of as many as over has, those before counting less and less.
// The other steps, told by their number, have 0.
func AverageShare(over, t float64, step uint64) float64 {
	switch {
	case over == 0:
		return 1
	case step%averageEvery == averageEvery-1:
		return min(1, averageEvery/min(over, t))
	}
	return 0
}

// Follow moves an average by a share of what x is away from it.
func Follow[F Float](mean, x []F, share F) {
	if share == 1 {
		copy(mean, x)
		return
	}
	for i, m := range mean {
		mean[i] = m + F(share*(x[i]-m))
	}
}
