package neon

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// general are the registers that stand for those of amd64.
var general = map[string]int{
	"AX": 0, "CX": 1, "DX": 2, "BX": 3, "BP": 4, "SI": 5, "DI": 6,
	"R8": 8, "R9": 9, "R10": 10, "R11": 11, "R12": 12, "R13": 13, "R14": 14, "R15": 15,
}

// Registers that the translation takes for itself. Those from firstTable on have the
// addresses of tables.
const (
	scratch, address      = 16, 17
	firstTable, lastTable = 19, 22
)

// A translation is of one function.
type translation struct {
	lines  []string
	tables map[string]int // registers of the tables
	free   []int          // vector registers that the function leaves
	next   int            // the one that is lost next
	// held are the parts of tables in free registers.
	held map[string]int
	// at is what register address has: of which base, index and scale.
	at string
	// wide is whether vectors have 32 bytes, in two registers that follow each other.
	wide bool
}

// translate returns a file's arm64 form.
func translate(source string) string {
	source = regexp.MustCompile(`(?m)^// Requires: .*\n`).ReplaceAllString(source, "")
	parts := strings.SplitAfter(source, "\n")
	var out []string
	for i := 0; i < len(parts); i++ {
		if !strings.HasPrefix(parts[i], "TEXT ") {
			out = append(out, parts[i])
			continue
		}
		end := i + 1
		for end < len(parts) && (strings.HasPrefix(parts[end], "\t") || regexp.MustCompile(`^\w+:|^\s*$`).MatchString(parts[end])) {
			end++
		}
		t := &translation{tables: map[string]int{}, held: map[string]int{}}
		body := t.function(parts[i+1 : end])
		out = append(out, strings.Replace(parts[i], "$8-", "$0-", 1), body)
		i = end - 1
	}
	return strings.Join(out, "")
}

var (
	vectorName = regexp.MustCompile(`\bX(\d+)\b`)
	wideName   = regexp.MustCompile(`\b[XY](\d+)\b`)
)

func (t *translation) function(lines []string) string {
	used := map[int]bool{}
	names := map[string]bool{}
	t.wide = slices.ContainsFunc(lines, regexp.MustCompile(`\bY\d+\b`).MatchString)
	for _, l := range lines {
		for _, m := range wideName.FindAllStringSubmatch(l, -1) {
			n, _ := strconv.Atoi(m[1])
			if t.wide {
				used[2*n], used[2*n+1] = true, true
			} else {
				used[n] = true
			}
		}
		if m := regexp.MustCompile(`(\w+<>)\S*\(SB\)`).FindStringSubmatch(l); m != nil {
			names[m[1]] = true
		}
	}
	for i := range 32 {
		if !used[i] {
			t.free = append(t.free, i)
		}
	}
	if len(used) > 32 || used[32] {
		panic("neon: too many vectors of two registers")
	}
	for i, name := range slices.Sorted(maps.Keys(names)) {
		if firstTable+i > lastTable {
			panic("neon: too many tables")
		}
		t.tables[name] = firstTable + i
		t.emit("MOVD $%s(SB), R%d", name, firstTable+i)
	}
	for i, l := range lines {
		text := strings.TrimSpace(l)
		switch {
		case text == "":
			t.lines = append(t.lines, "")
		case !strings.HasPrefix(l, "\t"):
			t.lines = append(t.lines, text)
			clear(t.held)
			t.at = ""
		case strings.HasPrefix(text, "//"):
		default:
			t.instruction(text, lines[i+1:])
		}
	}
	return strings.Join(t.lines, "\n") + "\n"
}

func (t *translation) emit(format string, a ...any) {
	t.lines = append(t.lines, "\t"+fmt.Sprintf(format, a...))
}

// put adds lines that are ready.
func (t *translation) put(words ...string) {
	for _, w := range words {
		t.lines = append(t.lines, "\t"+w)
	}
}

// split cuts an instruction into its name and its operands.
func split(text string) (op string, operands []string) {
	op, rest, _ := strings.Cut(text, " ")
	if rest = strings.TrimSpace(rest); rest != "" {
		operands = strings.Split(rest, ", ")
	}
	return op, operands
}

// flags tells whether a jump hangs on the flags of the instruction before these lines.
func flags(after []string) bool {
	for _, l := range after {
		op, _ := split(strings.TrimSpace(l))
		switch {
		case strings.HasPrefix(op, "J") && op != "JMP", strings.HasPrefix(op, "CMOV"):
			return true
		case regexp.MustCompile(`^(ADD|SUB|CMP|TEST|DEC|INC|XOR|SHL|SHR|AND)[QL]$`).MatchString(op), op == "JMP", op == "RET":
			return false
		}
	}
	return false
}

// jumps are the conditions, which mean the same after a subtraction or a comparison.
var jumps = map[string]string{
	"JMP": "B", "JE": "BEQ", "JZ": "BEQ", "JEQ": "BEQ", "JNE": "BNE", "JNZ": "BNE",
	"JL": "BLT", "JLT": "BLT", "JLE": "BLE", "JG": "BGT", "JGT": "BGT", "JGE": "BGE",
}

func (t *translation) instruction(text string, after []string) {
	op, o := split(text)
	if s, ok := strings.CutPrefix(op, "NEON_"); ok {
		if t.wide {
			t.nativeHalves(s, o)
		} else {
			t.native(s, o)
		}
		return
	}
	if j, ok := jumps[op]; ok {
		t.emit("%s %s", j, o[0])
		return
	}
	if strings.HasPrefix(op, "V") {
		if t.wide {
			t.halves(op, o)
		} else {
			t.vector(op, o)
		}
		return
	}
	defer func() {
		// An address may hang on what is written.
		if len(o) > 0 && strings.Contains(t.at, " "+o[len(o)-1]+" ") {
			t.at = ""
		}
	}()
	if op == "RET" {
		t.emit("RET")
		return
	}
	s := ""
	if flags(after) {
		s = "S"
	}
	switch op {
	case "PCALIGN":
		t.emit("PCALIGN %s", o[0])
	case "PREFETCHT0", "PREFETCHT1":
		t.emit("PRFM %s, %s", t.memory(o[0], 0), map[string]string{"PREFETCHT0": "PLDL1KEEP", "PREFETCHT1": "PLDL2KEEP"}[op])
	case "MOVQ":
		t.move("MOVD", o[0], o[1])
	case "MOVL":
		t.move("MOVWU", o[0], o[1])
	case "MOVBLZX":
		t.move("MOVBU", o[0], o[1])
	case "MOVLQSX":
		t.move("MOVW", o[0], o[1])
	case "ADDQ", "SUBQ", "ANDQ", "ORQ":
		t.emit("%s%s %s, R%d", op[:3], s, t.source(o[0]), reg(o[1]))
	case "ADDL", "SUBL":
		from := t.source(o[0])
		if from[0] == '$' && number(from) >= 1<<12 {
			t.emit("MOVD %s, R%d", from, scratch)
			from = fmt.Sprintf("R%d", scratch)
		}
		t.emit("%sW %s, R%d", op[:3], from, reg(o[1]))
	case "INCQ":
		t.emit("ADD%s $1, R%d", s, reg(o[0]))
	case "DECQ":
		t.emit("SUB%s $1, R%d", s, reg(o[0]))
	case "CMPQ":
		// The order of operands of Go's CMPQ is that of the subtraction, of CMP the other.
		if strings.Contains(o[0], "(") {
			t.emit("MOVD %s, R%d", t.memory(o[0], 8), scratch)
			t.emit("CMP %s, R%d", t.constant(o[1]), scratch)
		} else {
			t.emit("CMP %s, R%d", t.source(o[1]), reg(o[0]))
		}
	case "TESTQ":
		t.emit("TST R%d, R%d", reg(o[0]), reg(o[1]))
	case "SHLQ", "SHRQ":
		t.emit("%s %s, R%d", map[string]string{"SHLQ": "LSL", "SHRQ": "LSR"}[op], o[0], reg(o[1]))
		if s != "" {
			t.emit("CMP $0, R%d", reg(o[1]))
		}
	case "XORQ", "XORL":
		if o[0] != o[1] {
			panic("neon: " + text)
		}
		t.emit("MOVD ZR, R%d", reg(o[0]))
	case "IMULQ":
		t.emit("MUL R%d, R%d", reg(o[0]), reg(o[1]))
	case "IMUL3L":
		t.emit("MOVD %s, R%d", o[0], scratch)
		t.emit("MULW R%d, R%d, R%d", scratch, reg(o[1]), reg(o[2]))
	case "CMOVQGT":
		t.emit("CSEL GT, R%d, R%d, R%d", reg(o[0]), reg(o[1]), reg(o[1]))
	case "LEAQ":
		t.lea(o[0], reg(o[1]))
	case "MOVSS", "MOVSD":
		d := vec(o[1])
		if t.wide {
			d *= 2
		}
		t.emit("FMOV%c %s, F%d", op[4], t.memory(o[0], 8), d)
	default:
		panic("neon: " + text)
	}
}

func reg(o string) int {
	if r, ok := general[o]; ok {
		return r
	}
	return -1
}

// vec is the number of a vector register, or -1.
func vec(o string) int {
	if m := vectorName.FindStringSubmatch(o); m != nil && m[0] == o {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return -1
}

func number(o string) int {
	n, err := strconv.ParseInt(strings.TrimPrefix(o, "$"), 0, 64)
	if err != nil {
		panic(err)
	}
	return int(n)
}

func (t *translation) constant(o string) string { return fmt.Sprintf("$%d", number(o)) }

// source is a register, or a constant; memory is loaded first.
func (t *translation) source(o string) string {
	switch {
	case reg(o) >= 0:
		return fmt.Sprintf("R%d", reg(o))
	case strings.HasPrefix(o, "$"):
		return t.constant(o)
	}
	t.emit("MOVD %s, R%d", t.memory(o, 8), scratch)
	return fmt.Sprintf("R%d", scratch)
}

// move emits a move of a general register, a constant or memory.
func (t *translation) move(op, from, to string) {
	switch {
	case vec(to) >= 0:
		t.emit("FMOVD R%d, F%d", reg(from), vec(to))
	case vec(from) >= 0:
		t.emit("FMOVD F%d, R%d", vec(from), reg(to))
	case strings.HasPrefix(from, "$"):
		t.emit("MOVD %s, R%d", t.constant(from), reg(to))
	case reg(from) >= 0 && reg(to) >= 0:
		t.emit("%s R%d, R%d", op, reg(from), reg(to))
	case reg(from) >= 0:
		t.emit("%s R%d, %s", strings.TrimSuffix(op, "U"), reg(from), t.memory(to, 8))
	default:
		t.emit("%s %s, R%d", op, t.memory(from, 8), reg(to))
	}
}

var memoryForm = regexp.MustCompile(`^(-?\d*)(?:\((\w+)\))?(?:\((\w+)\*(\d)\))?$`)

// A place is a memory operand.
type place struct {
	disp        int
	base, index string
	scale       int
}

func parse(o string) place {
	m := memoryForm.FindStringSubmatch(o)
	if m == nil {
		panic("neon: memory " + o)
	}
	p := place{base: m[2], index: m[3]}
	p.disp, _ = strconv.Atoi(m[1])
	p.scale, _ = strconv.Atoi(m[4])
	return p
}

// memory is an operand of so many bytes as arm64 has it; what it cannot add is added first.
func (t *translation) memory(o string, size int) string {
	if strings.HasSuffix(o, "(FP)") {
		return o
	}
	if m := regexp.MustCompile(`^(\w+<>)\+(\d+)\(SB\)$`).FindStringSubmatch(o); m != nil {
		return fmt.Sprintf("%s(R%d)", m[2], t.tables[m[1]])
	}
	p := parse(o)
	if p.index == "" {
		if p.disp == 0 {
			return fmt.Sprintf("(R%d)", reg(p.base))
		}
		return fmt.Sprintf("%d(R%d)", p.disp, reg(p.base))
	}
	if p.disp == 0 && p.scale == 1 && size < 16 { // vectors are not loaded so
		return fmt.Sprintf("(R%d)(R%d)", reg(p.base), reg(p.index))
	}
	if at := fmt.Sprintf(" %s %s %d", p.base, p.index, p.scale); t.at != at {
		t.emit("ADD %s, R%d, R%d", scaled(p), reg(p.base), address)
		t.at = at
	}
	return fmt.Sprintf("%d(R%d)", p.disp, address)
}

func scaled(p place) string {
	if s := map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[p.scale]; s > 0 {
		return fmt.Sprintf("R%d<<%d", reg(p.index), s)
	}
	return fmt.Sprintf("R%d", reg(p.index))
}

func (t *translation) lea(o string, d int) {
	if name, ok := strings.CutSuffix(o, "+0(SB)"); ok {
		t.emit("MOVD $%s(SB), R%d", name, d)
		return
	}
	p := parse(o)
	switch {
	case p.base == "SP": // below is the link register's place
		t.emit("ADD $%d, RSP, R%d", p.disp+8, d)
	case p.index == "":
		t.emit("ADD $%d, R%d, R%d", p.disp, reg(p.base), d)
	case p.disp == 0:
		t.emit("ADD %s, R%d, R%d", scaled(p), reg(p.base), d)
	default:
		t.emit("ADD %s, R%d, R%d", scaled(p), reg(p.base), scratch)
		t.emit("ADD $%d, R%d, R%d", p.disp, scratch, d)
	}
}

// temporary is a vector register that nothing holds, and not one of those in use.
func (t *translation) temporary(use ...int) int {
	if len(t.free) <= len(use) {
		panic("neon: no vector register is free")
	}
	t.next++
	for slices.Contains(use, t.free[t.next%len(t.free)]) {
		t.next++
	}
	r := t.free[t.next%len(t.free)]
	for k, v := range t.held {
		if v == r {
			delete(t.held, k)
		}
	}
	return r
}

// value is a vector register with an operand, and not one of those in use. Parts of tables
// stay in registers as long as there are free ones.
func (t *translation) value(o string, use ...int) int {
	if v := vec(o); v >= 0 {
		return v
	}
	if r, ok := t.held[o]; ok {
		return r
	}
	r := t.temporary(use...)
	t.emit("FMOVQ %s, F%d", t.memory(o, 16), r)
	if strings.HasSuffix(o, "(SB)") {
		t.held[o] = r
	}
	return r
}
