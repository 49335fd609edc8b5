package main

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/nets/internal/winograd"
	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// dispatch writes the functions that pick a kernel, by a number or by a path.
func dispatch(b *strings.Builder, arch string) {
	pick := func(name, doc, number string, most int, kernel func(i int) string) {
		fmt.Fprintf(b, "\n// %s %s\nfunc %s(p *uintptr, %s int) {\nswitch %s {\n", name, doc, name, number, number)
		for i := 1; i <= most; i++ {
			fmt.Fprintf(b, "case %d:\n%s(p)\n", i, kernel(i))
		}
		b.WriteString("}\n}\n")
	}
	const tile, strip = "computes a tile of so many rows.", "computes a strip of so many vectors."
	if arch == "amd64" {
		pick("run512x32", tile, "rows", tallest512, func(i int) string { return vec{wide: true}.tileName(i, 2) })
		pick("run512x16", tile, "rows", tallest512, func(i int) string { return vec{wide: true}.tileName(i, 1) })
		pick("run256x16", tile, "rows", tallest256, func(i int) string { return vec{}.tileName(i, 2) })
		pick("runStrip512", strip, "vectors", widest512, vec{wide: true}.stripName)
		pick("runStrip256", strip, "vectors", widestAVX2, vec{}.stripName)
	} else {
		v := vec{neon: true}
		pick("runNEON", tile, "rows", tallest256, func(i int) string { return v.tileName(i, columnsNEON) })
		pick("runStripNEON", strip, "vectors", widestNEON, v.stripName)
	}
	emitted = nil
	for _, emit := range elements {
		emit(vec{})
	}
	for _, t := range winograd.All {
		vec{}.transform(t)
	}
	for _, f := range emitted {
		parameters := strings.TrimSuffix(strings.TrimPrefix(f.signature, "func("), ")")
		arguments := neon.Names(parameters)
		if arch == "arm64" {
			fmt.Fprintf(b, "\nfunc %sVectors(_ path, %s) { %sNEON(%s) }\n", f.name, parameters, f.name, arguments)
			continue
		}
		fmt.Fprintf(b, "\nfunc %sVectors(p path, %s) {\nif p == avx512 {\n", f.name, parameters)
		for _, wide := range []bool{true, false} {
			fmt.Fprintf(b, "%s%s(%s)\n", f.name, vec{wide: wide}.name(), arguments)
			if wide {
				b.WriteString("} else {\n")
			}
		}
		b.WriteString("}\n}\n")
	}
}
