package main

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/engine/noise/_gen/simd"
	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// paths are a processor's, with when they are taken and the suffixes of their functions.
var paths = map[string][][2]string{"amd64": {{"wide", "AVX512"}, {"!wide", "AVX2"}}, "arm64": {{"!wide", neon.Suffix}}}

// dispatch writes the functions that pick a kernel.
func dispatch(b *strings.Builder, arch string) {
	// pick writes a function with parameters to pick by and those of the kernels. A case
	// is a condition and the name of a kernel without its path.
	pick := func(name, by, parameters string, cases ...[2]string) {
		arguments := neon.Names(parameters)
		fmt.Fprintf(b, "\nfunc %s(wide bool, %s%s) {\nswitch {\n", name, by, parameters)
		for _, c := range cases {
			for _, path := range paths[arch] {
				condition := strings.Trim(c[0]+" && "+path[0], " &")
				fmt.Fprintf(b, "case %s:\n%s%s(%s)\n", condition, c[1], path[1], arguments)
			}
		}
		b.WriteString("default:\npanic(\"step32: no such kernel\")\n}\n}\n")
	}
	var kinds [][2]string
	for _, d := range displacements(simd.Vec{}) {
		kinds = append(kinds, [2]string{"kind == " + d.name, "displace" + d.name})
	}
	pick("displace", "kind Displacer, ", displaceParameters, kinds...)
	pick("langevinGroups", "", langevinParameters,
		[2]string{"v != nil && schedule != nil", "langevinPreconditioned"},
		[2]string{"v != nil", "langevinPreconditionedNoiseless"},
		[2]string{"schedule != nil", "langevin"},
		[2]string{"", "langevinNoiseless"})
	pick("momentumGroups", "", momentumParameters, [2]string{"schedule != nil", "momentum"}, [2]string{"", "momentumNoiseless"})
	pick("meanFieldGroups", "mixture bool, ", meanFieldParameters, [2]string{"mixture", "meanFieldMixture"}, [2]string{"", "meanField"})
	pick("drawGroups", "", drawParameters, [2]string{"", "draw"})
}
