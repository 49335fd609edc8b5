//go:build !(amd64 || arm64) || noasm

package logistic

func (kernelPath) margins(_, _, _ []float64) int    { return 0 }
func (kernelPath) accumulate(_, _, _ []float64) int { return 0 }

func (kernelPath) residuals(_ []float64, _ []int32, _ float64, _ *tally) int { return 0 }
