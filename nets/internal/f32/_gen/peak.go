package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// peak emits a loop of twelve products and sums that do not depend on each other.
func (v vec) peak() {
	v.text("", "func(turns int)", "does turns > 0 times twelve fused products and sums of vectors.")
	turns := param("turns")
	sums, a, b := v.regs(12), v.reg(), v.reg()
	for _, x := range append(sums, a, b) {
		v.zero(x)
	}
	align()
	repeat("loop", turns, func() {
		for _, s := range sums {
			VFMADD231PS(a, b, s)
		}
	})
	end()
}
