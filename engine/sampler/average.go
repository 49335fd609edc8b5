package sampler

import "github.com/psgld/psgld-tui/targets/tool/param"

// averageEvery is the number of steps from one update of an average to the next.
const averageEvery = 10

// AverageParam declares the number of steps that an average over the path covers, for AverageShare.
func AverageParam(key, doc string) param.Param {
	return param.Param{Key: key, Symbol: "avg", Doc: doc, ByTarget: true, Scale: param.Integer, Zero: "never", Min: 0,
		Max: param.MaxInteger, Lo: 10, Hi: 1e6}
}

// AverageShare is the share of the newest value x in the average m of a path (Polyak and Juditsky 1992), m' = m + share
// (x - m), at step t of the path. With over = 0 the share is 1. Otherwise one step in averageEvery, chosen by its
// number, takes part: up to t = over all their values weigh alike, and later the older ones weigh less and less. The
// share of all other steps is 0.
func AverageShare(over, t float64, step uint64) float64 {
	switch {
	case over == 0:
		return 1
	case step%averageEvery == averageEvery-1:
		return min(1, averageEvery/min(over, t))
	}
	return 0
}

// Follow is m ← m + share (x - m).
func Follow[F Float](mean, x []F, share F) {
	if share == 1 {
		copy(mean, x)
		return
	}
	for i, m := range mean {
		mean[i] = m + F(share*(x[i]-m))
	}
}
