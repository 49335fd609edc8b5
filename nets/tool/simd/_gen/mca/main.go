// Command mca estimates by llvm-mca what a turn of the NEON kernels' inner loops takes, and
// has llvm-mc assemble the text of every instruction that is given as a word, which is to
// make the same word. It writes throughput.txt beside it. LLVM is Debian's newest.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A kernel is a loop, and how many numbers a turn is for.
type kernel struct {
	file, function, label string
	numbers               int
	of                    string
}

const (
	f32    = "../../../internal/f32/neon_arm64.s"
	step32 = "../../../../engine/sampler/internal/step32/neon_arm64.s"
	noise  = "../../../../engine/noise/groups_arm64.s"

	pairs    = "../../../../engine/noise/pairs_arm64.s"
	langevin = "../../../../engine/sampler/langevin_arm64.s"
	metrics  = "../../../../metrics/kernels_arm64.s"
	targets  = "../../../../targets/logistic/kernels_arm64.s"
)

var kernels = []kernel{
	{f32, "tile6x16NEON", "steps", 4 * 6 * 16, "multiply-adds of a product"},
	{f32, "strip64NEON", "entries", 64, "multiply-adds of a sparse product"},
	{f32, "addBiasReLUNEON", "loop", 4, "biases with the rectifier"},
	{noise, "groupsNEON", "group", 64, "normals"},
	{step32, "langevinNEON", "group", 64, "steps of SGLD with normals"},
	{step32, "langevinPreconditionedNEON", "group", 64, "steps of pSGLD with normals"},
	{step32, "displaceAdamNEON", "group", 64, "steps of Adam"},
	{pairs, "pairsNEON", "words", 8, "blocks of words, for two normals in float64 each"},
	{pairs, "pairsNEON", "radii", 4, "radii"},
	{pairs, "pairsNEON", "turns", 8, "normals of their radii"},
	{langevin, "plainVectors", "plainVectorsloop", 4, "steps of SGLD in float64"},
	{langevin, "preconditionedVectors", "preconditionedVectorsloop", 4, "steps of pSGLD in float64"},
	{metrics, "lags16NEON", "lags16NEONloop", 128, "terms of lag sums"},
	{targets, "marginsNEON", "marginsNEON4cols", 32, "terms of margins"},
	{targets, "residualsNEON", "residualsNEONloop", 8, "residuals"},
}

// A processor has so many pipes for vectors of floats by LLVM's model.
type processor struct {
	name  string
	pipes float64
}

var processors = []processor{{"apple-m1", 3}, {"neoverse-n1", 2}, {"neoverse-v1", 4}}

func main() {
	out, err := run()
	if err == nil {
		err = os.WriteFile("throughput.txt", out, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() ([]byte, error) {
	all, err := filepath.Glob("/usr/lib/llvm-*/bin/llvm-mca")
	if err != nil || len(all) == 0 {
		return nil, fmt.Errorf("no llvm-mca (Debian's llvm)")
	}
	mca := all[len(all)-1]
	version, err := exec.Command(mca, "--version").Output()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `Estimates of the inner loops on arm64, written by "go run -C nets/tool/simd/_gen ./mca" with llvm-mca
%s. Nothing here was measured on such a processor.

A turn's cycles are beside those that its floating-point multiply-adds alone would take in the
pipes of the model. LLVM's model of Apple's M1 is that of an older core, with three pipes for
vectors of floats where the M1 has four; that of Neoverse N1 has two, and of V1 four.

`, regexp.MustCompile(`[\d.]+`).Find(version))
	fmt.Fprintf(&b, "%-28s%-13s%8s%8s%8s%8s  %s\n", "kernel", "processor", "instr.", "cycles", "fmla", "share",
		"numbers a cycle")
	for _, k := range kernels {
		source, err := os.ReadFile(k.file)
		if err != nil {
			return nil, err
		}
		if err := sameWords(strings.TrimSuffix(mca, "mca")+"mc", string(source)); err != nil {
			return nil, fmt.Errorf("%s: %w", k.file, err)
		}
		loop, err := k.loop(string(source))
		if err != nil {
			return nil, err
		}
		adds := strings.Count(loop, "\nfmla")
		for _, p := range processors {
			cycles, instructions, err := estimate(mca, p.name, loop)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.function, err)
			}
			share := "-"
			if adds > 0 {
				share = fmt.Sprintf("%.1f%%", 100*float64(adds)/p.pipes/cycles)
			}
			fmt.Fprintf(&b, "%-28s%-13s%8d%8.1f%8d%8s  %.2f %s\n", k.function, p.name, instructions, cycles, adds,
				share, float64(k.numbers)/cycles, k.of)
		}
	}
	return b.Bytes(), nil
}

// loop is what is between a label and the jump back to it, as LLVM reads it.
func (k kernel) loop(source string) (string, error) {
	_, body, ok := strings.Cut(source, "TEXT ·"+k.function+"(SB)")
	body, _, _ = strings.Cut(body, "\nTEXT ")
	_, body, found := strings.Cut(body, "\n"+k.label+":\n")
	if !ok || !found {
		return "", fmt.Errorf("%s: no loop %s in %s", k.file, k.label, k.function)
	}
	out := "loop:"
	for _, l := range strings.Split(body, "\n") {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasSuffix(l, ":") {
			continue
		}
		if jump := regexp.MustCompile(`^B(\w\w) ` + k.label + `$`).FindStringSubmatch(l); jump != nil {
			return out + "\nb." + strings.ToLower(jump[1]) + " loop\n", nil
		}
		text, err := gnu(l)
		if err != nil {
			return "", fmt.Errorf("%s: %w", k.function, err)
		}
		out += "\n" + text
	}
	return "", fmt.Errorf("%s: the loop %s has no end", k.function, k.label)
}

var (
	wordForm   = regexp.MustCompile(`^WORD \$(0x[0-9a-f]+) // (.*)$`)
	memoryForm = regexp.MustCompile(`^(-?\d*)\(R(\d+)\)(?:\(R(\d+)\))?$`)
	shiftForm  = regexp.MustCompile(`^R(\d+)<<(\d)$`)
)

// gnu is a line of Go's assembler in that of the architecture's manual.
func gnu(line string) (string, error) {
	if m := wordForm.FindStringSubmatch(line); m != nil {
		return m[2], nil
	}
	op, rest, _ := strings.Cut(line, " ")
	o := strings.Split(rest, ", ")
	size := "x"
	if strings.HasSuffix(op, "W") || op == "MOVWU" {
		size = "w"
	}
	operand := func(s string) string {
		if m := memoryForm.FindStringSubmatch(s); m != nil {
			switch {
			case m[3] != "":
				return fmt.Sprintf("[x%s, x%s]", m[2], m[3])
			case m[1] != "":
				return fmt.Sprintf("[x%s, #%s]", m[2], m[1])
			}
			return fmt.Sprintf("[x%s]", m[2])
		}
		if m := shiftForm.FindStringSubmatch(s); m != nil {
			return fmt.Sprintf("x%s, lsl #%s", m[1], m[2])
		}
		if n, ok := strings.CutPrefix(s, "$"); ok {
			v, _ := strconv.ParseInt(n, 0, 64)
			return fmt.Sprintf("#%d", v)
		}
		return size + strings.TrimPrefix(s, "R")
	}
	last := o[len(o)-1]
	memory := func(register string) (string, error) {
		if strings.HasPrefix(last, register) || register == "R" && strings.HasPrefix(last, "R") {
			return "ldr " + letter(op, size) + last[1:] + ", " + operand(o[0]), nil
		}
		return "str " + letter(op, size) + o[0][1:] + ", " + operand(last), nil
	}
	switch op {
	case "FMOVQ", "FMOVD", "FMOVS":
		if strings.HasPrefix(o[0], "R") {
			return "fmov s" + last[1:] + ", w" + o[0][1:], nil
		}
		return memory("F")
	case "FLDPQ":
		return "ldp q" + strings.Trim(o[1], "(F") + ", q" + strings.Trim(last, "F)") + ", " + operand(o[0]), nil
	case "MOVW":
		return "ldrsw x" + last[1:] + ", " + operand(o[0]), nil
	case "MOVD", "MOVWU":
		if !strings.Contains(rest, "(") {
			return "mov " + operand(last) + ", " + operand(o[0]), nil
		}
		return memory("R")
	case "CMP":
		return "cmp " + operand(last) + ", " + operand(o[0]), nil
	case "PRFM":
		return "prfm " + strings.ToLower(last) + ", " + operand(o[0]), nil
	case "ADD", "ADDW", "SUB", "SUBW", "ADDS", "SUBS", "MUL":
		n := last
		if len(o) == 3 {
			n = o[1]
		}
		return strings.ToLower(strings.TrimSuffix(op, "W")) + " " + operand(last) + ", " + operand(n) + ", " +
			operand(o[0]), nil
	}
	return "", fmt.Errorf("no such instruction: %s", line)
}

func letter(op, size string) string {
	if strings.HasPrefix(op, "FMOV") {
		return strings.ToLower(op[4:])
	}
	return size
}

// estimate is what a turn takes.
func estimate(mca, cpu, loop string) (cycles float64, instructions int, err error) {
	const turns = 300
	c := exec.Command(mca, "-mtriple=aarch64", "-mcpu="+cpu, "-iterations="+strconv.Itoa(turns), "-instruction-info=0",
		"-resource-pressure=0")
	c.Stdin = strings.NewReader(loop)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return 0, 0, err
	}
	number := func(name string) (n int) {
		m := regexp.MustCompile(name + `:\s+(\d+)`).FindSubmatch(out)
		if m != nil {
			n, _ = strconv.Atoi(string(m[1]))
		}
		return n
	}
	return float64(number("Total Cycles")) / turns, number("Instructions") / turns, nil
}

// sameWords compares the words of a file with what their texts make.
func sameWords(mc, source string) error {
	words := regexp.MustCompile(`WORD \$(0x[0-9a-f]+) // (.*)`).FindAllStringSubmatch(source, -1)
	var texts strings.Builder
	for _, w := range words {
		texts.WriteString(w[2] + "\n")
	}
	c := exec.Command(mc, "-triple=aarch64", "-show-encoding")
	c.Stdin = strings.NewReader(texts.String())
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return err
	}
	made := regexp.MustCompile(`encoding: \[0x(..),0x(..),0x(..),0x(..)\]`).FindAllSubmatch(out, -1)
	if len(made) != len(words) {
		return fmt.Errorf("%d words, and %d texts", len(words), len(made))
	}
	for i, m := range made {
		if word := fmt.Sprintf("0x%s%s%s%s", m[4], m[3], m[2], m[1]); word != words[i][1] {
			return fmt.Errorf("%s is %s, not %s", words[i][2], word, words[i][1])
		}
	}
	return nil
}
