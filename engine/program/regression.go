package program

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/logistic"
)

// regression writes a logistic regression: how its file is read, and its functions.
func (p *page) regression(s *logistic.Source, n needs) error {
	for _, text := range append(s.Classes[:], s.Path) {
		if !utf8.ValidString(text) {
			return fmt.Errorf("there is no program of a name or a label that is not UTF-8, got %q", text)
		}
	}
	if p.isR {
		p.readR(s)
	} else {
		p.readPython(s)
	}
	switch i := "[i]"; {
	case p.isR:
		p.regressionR(n)
	case p.name == "torch":
		p.regressionTorch(n)
	default:
		by := "len(i)"
		if !n.batch {
			i, by = "", "N"
		}
		p.regressionNumPy(n, i, by)
	}
	p.put("")
	return nil
}

// arguments are those of a function of the minibatch, or of all data.
func (n needs) arguments() string {
	if n.batch {
		return "theta, i"
	}
	return "theta"
}

func (p *page) regressionNumPy(n needs, i, by string) {
	chance := func() { p.put("p = (1 + np.tanh(X" + i + " @ theta/2))/2  # the logistic function") }
	if n.exact {
		p.function("logp", "theta", func() {
			p.put("m = X @ theta")
			p.returns("y @ m - np.logaddexp(0, m).sum() - theta @ theta/(2*prior_var)")
		})
		p.put("")
		p.function("grad", "theta", func() {
			chance()
			p.returns("(y - p) @ X - theta/prior_var")
		})
		return
	}
	p.function("grad", n.arguments(), func() {
		chance()
		p.returns("(y" + i + " - p) @ X" + i + "/" + by)
	})
	if n.curvature {
		p.put("")
		p.function("curvature", n.arguments(), func() {
			chance()
			p.returns("-(p*(1 - p)) @ X" + i + "**2/" + by)
		})
	}
}

func (p *page) regressionTorch(n needs) {
	const logistic = "-F.binary_cross_entropy_with_logits("
	p.lines = append([]string(nil), p.lines...)
	for k, line := range p.lines {
		if line == "import torch" {
			p.lines = append(p.lines[:k+1:k+1], append([]string{"import torch.nn.functional as F"}, p.lines[k+1:]...)...)
			break
		}
	}
	if n.exact {
		p.function("logp", "theta", func() {
			p.returns(logistic + "X @ theta, y, reduction=\"sum\") - theta @ theta/(2*prior_var)")
		})
		p.put("")
		p.autograd("logp(theta)", "theta")
		return
	}
	i := ""
	if n.batch {
		i = "[i]"
	}
	p.function("loglik", n.arguments(), func() { p.returns(logistic + "X" + i + " @ theta, y" + i + ")  # the mean") })
	p.put("")
	p.autograd("loglik("+n.arguments()+")", n.arguments())
	if n.curvature {
		p.put("")
		p.function("curvature", n.arguments(), func() {
			p.put("p = torch.sigmoid(X" + i + " @ theta)")
			p.returns("-((p*(1 - p))[:, None]*X" + i + "**2).mean(0)")
		})
	}
}

func (p *page) regressionR(n needs) {
	rows, y := "X", "y"
	if n.batch {
		rows, y = "x", "y[i]"
	}
	begin := func() {
		if n.batch {
			p.put("x <- X[i, , drop = FALSE]")
		}
		p.put("p <- plogis(drop(" + rows + " %*% theta))")
	}
	if n.exact {
		p.function("logp", "theta", func() {
			p.put("m <- drop(X %*% theta)")
			p.returns("sum(plogis(ifelse(y == 1, m, -m), log.p = TRUE)) - sum(theta^2)/(2*prior_var)")
		})
		p.put("")
		p.function("grad", "theta", func() {
			begin()
			p.returns("drop(crossprod(X, y - p)) - theta/prior_var")
		})
		return
	}
	p.function("grad", n.arguments(), func() {
		begin()
		p.returns("drop(crossprod(" + rows + ", " + y + " - p))/nrow(" + rows + ")")
	})
	if n.curvature {
		p.put("")
		p.function("curvature", n.arguments(), func() {
			begin()
			p.returns("-drop(crossprod(" + rows + "^2, p*(1 - p)))/nrow(" + rows + ")")
		})
	}
}

// isNumber reports whether a label is compared as a number.
func isNumber(label string) (float64, bool) {
	x, err := strconv.ParseFloat(label, 64)
	return x, err == nil && x-x == 0 && strings.Trim(label, "+-.0123456789eE") == ""
}

// labelled is the condition that a label, as text or as a number, is that of class 1.
func labelled(s *logistic.Source, text, number string) string {
	zero, ok := isNumber(s.Classes[0])
	one, both := isNumber(s.Classes[1])
	switch show := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }; {
	case ok && both:
		return number + " == " + show(one)
	case both: // the other class is a text
		_ = zero
		return text + " != " + quote(s.Classes[0])
	}
	return text + " == " + quote(s.Classes[1])
}

// readPython reads X and y. A line that begins with # is a comment.
func (p *page) readPython(s *logistic.Source) {
	open := "open(" + quote(s.Path) + ", encoding=\"utf-8-sig\")"
	imports := []string{}
	if s.Packed {
		open = "gzip.open(" + quote(s.Path) + ", \"rt\", encoding=\"utf-8-sig\")"
		imports = append(imports, "import gzip")
	}
	rows := "[line.split() for line in " + open + "]"
	if s.Format != dataset.Blank {
		separator := map[dataset.Format]string{dataset.Semicolon: `, delimiter=";"`, dataset.Tab: `, delimiter="\t"`}[s.Format]
		rows = "csv.reader(" + open + separator + ", skipinitialspace=True)"
		imports = append([]string{"import csv"}, imports...)
	}
	for k, line := range p.lines {
		if strings.HasPrefix(line, "import ") {
			p.lines = append(p.lines[:k:k], append(imports, p.lines[k:]...)...)
			break
		}
	}
	skip := ""
	if s.Header {
		skip = "[1:]"
	}
	p.put("rows = "+rows, "rows = [r for r in rows if any(r) and r[0][:1] != \"#\"]"+skip)
	k := strconv.Itoa(s.Label)
	fields := ""
	switch {
	case s.Label == 0:
		fields = fmt.Sprintf("r[1:%d]", s.Columns)
	case s.Label == s.Columns-1:
		fields = "r[:" + k + "]"
	default:
		fields = fmt.Sprintf("r[:%d] + r[%d:%d]", s.Label, s.Label+1, s.Columns)
	}
	is := labelled(s, "r["+k+"].strip()", "float(r["+k+"])")
	label, many := "np.array([%s for r in rows], float)", "np.array([%s for r in rows], float)"
	deviation, varies, where, ones, stack := "X.std(0)", "np.ptp(X, 0) > 0", "np.where", "np.ones(len(X))", "np.column_stack"
	if p.name == "torch" {
		label, many = "torch.tensor([float(%s) for r in rows])", "torch.tensor([[float(x) for x in %s] for r in rows])"
		deviation, varies, where, ones, stack = "X.std(0, unbiased=False)", "X.amax(0) > X.amin(0)", "torch.where", "torch.ones(len(X))", "torch.column_stack"
	}
	p.put("y = "+fmt.Sprintf(label, is), "X = "+fmt.Sprintf(many, fields))
	switch {
	case s.Constant:
		one := "1"
		if p.name == "torch" {
			one = "1.0"
		}
		p.put("X = (X - X.mean(0))/" + where + "(" + varies + ", " + deviation + ", " + one + ")")
	case s.Standardized:
		p.put("X = (X - X.mean(0))/" + deviation)
	}
	if s.Intercept {
		p.put("X = " + stack + "([" + ones + ", X])")
	}
	p.put("N, D = X.shape", "")
}

// readR reads X and y.
func (p *page) readR(s *logistic.Source) {
	separator := map[dataset.Format]string{dataset.CSV: `, sep = ","`, dataset.Semicolon: `, sep = ";"`, dataset.Tab: `, sep = "\t"`}[s.Format]
	skip := ""
	if s.Header {
		skip = "[-1, ]"
	}
	p.put(
		`lines <- grep("^[ \t]*#", readLines(`+quote(s.Path)+`), value = TRUE, invert = TRUE)`,
		"d <- read.table(text = lines"+separator+`, colClasses = "character", quote = "\"", comment.char = "", strip.white = TRUE)`+skip,
		fmt.Sprintf("y <- as.numeric(%s)", labelled(s, fmt.Sprintf("d[[%d]]", s.Label+1), fmt.Sprintf("as.numeric(d[[%d]])", s.Label+1))),
	)
	fields := fmt.Sprintf("setdiff(1:%d, %d)", s.Columns, s.Label+1)
	if s.Label == s.Columns-1 {
		fields = fmt.Sprintf("1:%d", s.Label)
	}
	p.put("X <- matrix(as.numeric(unlist(d[" + fields + "])), nrow(d))")
	if s.Standardized {
		p.put("s <- sqrt(colMeans(sweep(X, 2, colMeans(X))^2))")
		if s.Constant {
			p.put("s[apply(X, 2, max) == apply(X, 2, min)] <- 1")
		}
		p.put("X <- scale(X, colMeans(X), s)")
	}
	if s.Intercept {
		p.put("X <- cbind(1, X)")
	}
	p.put("N <- nrow(X)", "D <- ncol(X)", "")
}
