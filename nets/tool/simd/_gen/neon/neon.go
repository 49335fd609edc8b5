// Package neon writes assembly for arm64 by generators that are made for amd64: with
// vectors of 16 bytes, of which there are 32 registers, what they emit is translated
// instruction by instruction. A few instructions stand for those that arm64 alone has.
package neon

import (
	"os"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
)

// Suffix is that of function names.
const Suffix = "NEON"

// asked is whether the generator's argument is neon.
var asked bool

// Argument takes the generator's first argument away, if that is no flag.
func Argument() string {
	name := os.Args[1]
	if name[0] == '-' {
		return ""
	}
	asked = name == "neon"
	os.Args = append(os.Args[:1], os.Args[2:]...)
	return name
}

// Asked takes the argument away and reports whether it is neon.
func Asked() bool { return Argument() == "neon" }

// Generate is build.Generate with what follows -out translated, if the argument is neon.
func Generate() {
	out := os.Args[slices.Index(os.Args, "-out")+1]
	build.Generate()
	if !asked {
		return
	}
	source, err := os.ReadFile(out)
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(out, []byte(translate(string(source))), 0o666); err != nil {
		panic(err)
	}
}

// Emit emits an instruction of arm64, by its name in words or one of those below, that
// reads some operands and writes others. What it changes is among both.
func Emit(name string, reads, writes []operand.Op) {
	build.Instruction(&ir.Instruction{
		Opcode: "NEON_" + name, Operands: append(slices.Clone(reads), writes...),
		Inputs: reads, Outputs: writes,
	})
}

// Three emits d = n ∘ m.
func Three(name string, n, m, d operand.Op) {
	Emit(name, []operand.Op{n, m}, []operand.Op{d})
}

// Two emits d = f(n).
func Two(name string, n, d operand.Op) { Emit(name, []operand.Op{n}, []operand.Op{d}) }

// LoadLane loads a float32 into the lowest lane of d.
func LoadLane(from operand.Mem, d operand.Op) {
	Emit("lane", []operand.Op{from}, []operand.Op{d})
}

// LoadPair loads two vectors that follow each other.
func LoadPair(from operand.Mem, d, e operand.Op) {
	Emit("pair", []operand.Op{from}, []operand.Op{d, e})
}

// StoreLane stores the lowest 32 bits of n.
func StoreLane(n operand.Op, to operand.Mem) { Emit("storelane", []operand.Op{n, to}, nil) }

// AddLane emits d += n times the lowest lane of m.
func AddLane(n, m, d operand.Op) {
	Emit("fmlalane", []operand.Op{n, m, d}, []operand.Op{d})
}
