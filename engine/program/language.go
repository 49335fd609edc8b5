package program

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A language is what programs are written in. Python with NumPy, and with PyTorch, are two.
//
// Lines come in one notation, which write turns into the language's: Python's with ^ for a
// power, and with words for what the languages call differently.
type language struct {
	name   string
	runs   string            // the command that runs a file
	ending string            // of that file's name
	isR    bool              // else Python
	words  map[string]string // what stands for the words of the notation
	// calls are the functions of formulas; "%" and "@" stand for the values.
	calls map[string]string
	// rowwise are those of columns, where they differ from calls.
	rowwise map[string]string
	// fixed are those of what does not vary with θ, where they differ from calls.
	fixed map[string]string
	// scalars are where other functions of a plain number are; empty where calls has them.
	scalars  string
	pi       string
	infinite string
}

// languages lists them; the first is the one that a screen shows at first.
var languages = []language{
	{
		name: "numpy", runs: "python3", ending: "py",
		words: map[string]string{
			"sqrt": "np.sqrt", "root": "np.sqrt", "sum": "np.sum", "mean": "np.mean", "lambda": "lam",
			"normal":      "rng.standard_normal(D)",
			"log_uniform": "np.log(rng.random())",
			"path_length": "rng.integers(1, leapfrog + 1)",
			"stopped":     "np.minimum(xi, 1)", "zeros": "np.zeros(D)", "ones": "np.ones(D)",
			"permutation": "rng.permutation(N)", "joined": "np.append", "nothing": "np.array([], int)",
			"subset": "rng.choice(N, batch, replace=False)", "replace": "rng.integers(N, size=batch)",
		},
		calls: calls("np.", "exp log log1p expm1 sqrt abs sin cos tan sinh cosh tanh sign", map[string]string{
			"atan": "np.arctan(%)", "sigmoid": "sigmoid(%)", "softplus": "np.logaddexp(0, %)", "lgamma": "math.lgamma(%)",
			"min": "np.minimum(%, @)", "max": "np.maximum(%, @)", "logsumexp": "np.logaddexp(%, @)",
			"less": "float(% < @)",
		}),
		rowwise: map[string]string{"lgamma": "np.vectorize(math.lgamma)(%)", "less": "1.0*(% < @)"},
		pi:      "np.pi", infinite: "np.inf",
	},
	{
		name: "torch", runs: "python3", ending: "py",
		words: map[string]string{
			"sqrt": "torch.sqrt", "root": "math.sqrt", "sum": "torch.sum", "mean": "torch.mean", "lambda": "lam",
			"normal":      "torch.randn(D)",
			"log_uniform": "torch.rand(()).log()",
			"path_length": "torch.randint(1, leapfrog + 1, ()).item()",
			"stopped":     "xi.clamp(max=1)", "zeros": "torch.zeros(D)", "ones": "torch.ones(D)",
			"permutation": "torch.randperm(N)", "joined": "joined", "nothing": "torch.tensor([], dtype=int)",
			"subset": "torch.randperm(N)[:batch]", "replace": "torch.randint(N, (batch,))",
		},
		calls: calls("torch.", "exp log log1p expm1 sqrt sin cos tan sinh cosh tanh atan sigmoid lgamma", map[string]string{
			"abs": "abs(%)", "softplus": "torch.logaddexp(torch.zeros(()), %)",
			"min": "torch.minimum(%, @)", "max": "torch.maximum(%, @)", "logsumexp": "torch.logaddexp(%, @)",
		}),
		fixed: map[string]string{
			"sigmoid":   "torch.sigmoid(torch.tensor(%))",
			"softplus":  "torch.logaddexp(torch.zeros(()), torch.tensor(%))",
			"min":       "min(%, @)",
			"max":       "max(%, @)",
			"logsumexp": "torch.logaddexp(torch.tensor(%), torch.tensor(@))",
		},
		scalars: "math.", pi: "math.pi", infinite: "math.inf",
	},
	{
		name: "r", runs: "Rscript", ending: "R", isR: true,
		words: map[string]string{
			"root": "sqrt", "normal": "rnorm(D)", "log_uniform": "log(runif(1))", "path_length": "sample(leapfrog, 1)",
			"stopped": "pmin(xi, 1)", "zeros": "rep(0, D)", "ones": "rep(1, D)",
			"permutation": "sample(N)", "joined": "c", "nothing": "integer(0)",
			"subset": "sample(N, batch)", "replace": "sample(N, batch, replace = TRUE)",
		},
		calls: calls("", "exp log log1p expm1 sqrt abs sin cos tan sinh cosh tanh atan lgamma digamma trigamma sign",
			map[string]string{
				"sigmoid": "plogis(%)", "softplus": "logaddexp(0, %)",
				"min": "min(%, @)", "max": "max(%, @)", "logsumexp": "logaddexp(%, @)", "less": "as.numeric(% < @)",
			}),
		rowwise: map[string]string{"min": "pmin(%, @)", "max": "pmax(%, @)"},
		pi:      "pi", infinite: "Inf",
	},
}

// calls adds to functions those whose name in the language is the formula's own, in a module.
func calls(module, alike string, of map[string]string) map[string]string {
	for _, name := range strings.Fields(alike) {
		of[name] = module + name + "(%)"
	}
	return of
}

// Languages lists the names of the languages, that which is shown first before the others.
func Languages() []string { return list.Map(languages, func(l language) string { return l.name }) }

func (l *language) number(x float64) string {
	switch {
	case x < 0:
		return "-" + l.number(-x)
	case x == math.Pi:
		return l.pi
	case math.IsInf(x, 1):
		return l.infinite
	case x == math.Trunc(x) && math.Abs(x) < 1e9:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// quote writes a text between quotes. What is not printable, or does not have a meaning of its
// own there, is escaped in a form that Python and R share.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// say turns an expression of the notation into the language's; special words go before the language's own.
func (l *language) say(text string, special map[string]string) string {
	text = word.ReplaceAllStringFunc(text, func(w string) string {
		if s, ok := special[w]; ok {
			w = s
		}
		if s, ok := l.words[w]; ok {
			return s
		}
		return w
	})
	if !l.isR {
		text = strings.ReplaceAll(text, "^", "**")
	}
	return text
}

// A page is a program that is being written.
type page struct {
	*language
	special map[string]string // words of this program
	lines   []string
	depth   int
}

// put writes lines as they are, indented.
func (p *page) put(lines ...string) {
	for _, text := range lines {
		if text != "" {
			text = strings.Repeat(p.indent(), p.depth) + text
		}
		p.lines = append(p.lines, text)
	}
}

func (p *page) indent() string {
	if p.isR {
		return "  "
	}
	return "    "
}

// within writes what inside does in the block that a line of either language opens.
func (p *page) within(python, r string, inside func()) {
	if p.isR {
		p.put(r + " {")
	} else {
		p.put(python + ":")
	}
	p.depth++
	inside()
	p.depth--
	if p.isR {
		p.put("}")
	}
}

// either writes a line of its language.
func (p *page) either(python, r string) {
	if p.isR {
		python = r
	}
	p.put(python)
}

// assign is a line of the notation, "name = value" or "if condition: name = value", both with a
// comment behind " # ", in the language.
func (p *page) assign(line string) string {
	code, comment, commented := strings.Cut(line, " # ")
	condition, rest, found := strings.Cut(code, ": ")
	if !found {
		condition, rest = "", code
	}
	name, value, _ := strings.Cut(rest, " = ")
	code = p.say(name, p.special) + p.is() + p.say(value, p.special)
	if condition = strings.TrimPrefix(condition, "if "); condition != "" {
		if condition = p.say(condition, p.special); p.isR {
			code = "if (" + condition + ") " + code
		} else {
			code = "if " + condition + ": " + code
		}
	}
	if commented {
		code += "  # " + comment
	}
	return code
}

// let writes lines of the notation.
func (p *page) let(lines ...string) {
	for _, line := range lines {
		p.put(p.assign(line))
	}
}

// width is how long a line may be that is made of many values.
const width = 100

// list writes values with a text before and behind them, in lines that are not too long.
func (p *page) list(before string, values []string, behind string) {
	line := before
	for i, v := range values {
		if i < len(values)-1 {
			v += ","
		}
		if i > 0 && len(line)+1+len(v) > width {
			p.put(strings.TrimRight(line, " "))
			line = p.indent()
		}
		line += v
		if i < len(values)-1 {
			line += " "
		}
	}
	p.put(line + behind)
}
