//go:build !(amd64 || arm64) || noasm

package logistic

import "github.com/psgld/psgld-tui/nets/tool/simd"

func marginsVectors(_ simd.Path, _, _, _ *float64, _, _ int)                                     {}
func accumulateVectors(_ simd.Path, _, _, _ *float64, _, _ int)                                  {}
func residualsVectors(_ simd.Path, _ *float64, _ *int32, _ int, _ float64, _, _ *[lanes]float64) {}
