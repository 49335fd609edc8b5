package network

import (
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An experiment is a table or figure on networks.
type experiment struct {
	id, title, source string
	question          string
	table             func() *table
	sizes             []string // those of the table that a full run takes; nil for all
	curves            bool     // only the rows that have a learning curve
	report            func(n *report) paper.Report
}

// Experiments lists them in the paper's order. Those on one table share its sessions.
func Experiments() []paper.Experiment {
	all := []experiment{
		{id: "table2", title: "Test error of MLPs on MNIST", source: "section 5.3, table 2", table: tableIn("table2"),
			report: reportTable,
			question: "Do samplers have lower test errors than the optimisers that they come from, pSGLD a lower " +
				"one than SGLD, and are the errors the paper's?"},
		{id: "fig4", title: "MLP 1200-1200 on MNIST: weights and learning curves", source: "section 5.3, figure 4",
			table: tableIn("table2"),
			sizes: []string{"1200-1200"}, curves: true, report: reportFig4,
			question: "Does a larger prior variance widen the weights, and does pSGLD converge faster than SGLD " +
				"and RMSprop?"},
		{id: "supp-fig2", title: "Learning curves of MLPs 400-400 and 800-800 on MNIST",
			source: "supplement F, figure 2", table: tableIn("table2"),
			sizes: []string{"400-400", "800-800"}, curves: true, report: reportSuppFig2,
			question: "Does pSGLD converge faster than SGLD and RMSprop on the smaller networks too?"},
		{id: "table3", title: "Test error of a CNN on MNIST", source: "section 5.4, table 3", table: tableIn("table3"),
			report: reportTable,
			question: "Do samplers have lower test errors than the optimisers that they come from on a " +
				"convolutional network, and are the errors the paper's?"},
		{id: "fig5", title: "Learning curves of a CNN on MNIST", source: "section 5.4, figure 5",
			table: tableIn("table3"), curves: true, report: reportCNNCurves,
			question: "Does pSGLD converge faster than SGLD and RMSprop on a convolutional network, and to a lower error?"},
		{id: "supp-table1", title: "Test error of a CNN with one dense layer of 500 on MNIST",
			source: "supplement G, table 1", table: tableIn("supp-table1"), report: reportTable,
			question: "Are the test errors those of the paper on a convolutional network with one wide dense layer?"},
		{id: "supp-fig3", title: "Learning curves of a CNN with one dense layer of 500 on MNIST",
			source: "supplement G, figure 3", table: tableIn("supp-table1"),
			curves: true, report: reportCNNCurves,
			question: "Does pSGLD converge faster than SGLD and RMSprop on that network?"},
		{id: "supp-fig4", title: "Learning curves of a CNN on CIFAR-10", source: "supplement G, figure 4",
			table: tableIn("supp-fig4"), curves: true, report: reportCNNCurves,
			question: "Does pSGLD converge faster than SGLD on colour images, and to a lower error?"},
	}
	return list.Map(all, experiment.experiment)
}

// its is the part of its table that the experiment takes.
func (e experiment) its() *table {
	t := e.table()
	t.has = e.sizes
	if e.curves {
		t.Rows = slices.DeleteFunc(t.Rows, func(r *row) bool { return r.Curve == "" })
	}
	return t
}

func (e experiment) experiment() paper.Experiment {
	return paper.Experiment{
		ID:       e.id,
		Title:    e.title,
		Source:   e.source,
		Question: e.question,
		Readings: []paper.Reading{paper.Authors, paper.Text},
		Protocol: func(o paper.Options) string { return e.its().protocol(o) },
		Jobs: func(o paper.Options) ([]study.Job, error) {
			t := e.its()
			jobs, err := t.jobs(o)
			if err != nil && t.Dataset == "cifar10" && study.Absent(err) {
				err = fmt.Errorf("%s, which is not downloaded by itself: %w", needsCIFAR, err)
			}
			return jobs, err
		},
		Report: func(o paper.Options, r *paper.Results) paper.Report {
			n := e.its().reportOf(o, r)
			n.id = e.id
			if !slices.ContainsFunc(n.lines, func(l *line) bool { return l.seconds.N > 0 }) {
				why := "there is no outcome of any of its sessions."
				if n.table.Dataset == "cifar10" && r.Config().Dataset == "" { // it has no sessions, for want of data
					why = needsCIFAR + ". psgld-tui data fetch cifar10 brings it to the data folder."
				}
				return paper.Report{Remarks: []string{"Not run: " + why}, Left: n.left}
			}
			rep := e.report(n)
			rep.Left = n.left
			if o.Scale == paper.Full {
				rep.Tables = append(rep.Tables, n.settings())
			}
			rep.Remarks = append(n.labels(), rep.Remarks...)
			return rep
		},
	}
}

const needsCIFAR = "it needs CIFAR-10"

// labels say in what the numbers differ from the paper's.
func (n *report) labels() (all []string) {
	if n.o.Scale == paper.Quick {
		all = append(all, fmt.Sprintf("Quick run: %.0f steps on the network %s, for a look. The numbers are not "+
			"the paper's and are not held to them; what is said of claims is of this run.",
			n.table.Brief.Steps, n.table.Brief.Size))
	}
	if n.table.Dataset == "" && n.dataset != "mnist" {
		all = append(all, fmt.Sprintf("The data are %s and not MNIST, which was not found: no number is held to "+
			"the paper's.", n.dataset))
	}
	return all
}

// protocol says what is run. In what it differs from the text and from the authors' code (PAPER §3) is in settings.
func (t *table) protocol(o paper.Options) string {
	name := map[string]string{"mlp": "MLPs", "cnn": "CNN"}[t.Family]
	data := "MNIST"
	other := ""
	if t.Dataset == "cifar10" {
		data, other = "CIFAR-10", "The paper's CNN has 32-32-64 channels, ours is table 3's. "
	}
	batches := "batches of 100"
	if o.Reading == paper.Authors &&
		slices.ContainsFunc(t.Rows, func(r *row) bool { return r.Sampler == "rmsspectral" }) {
		batches += " (RMSspectral: 1,000)"
	}
	size := strings.Join(t.columns(o), ", ")
	text := fmt.Sprintf("%s %s on %s, %g epochs with %s, the step halved every %g. %s%s ", name, size, data, t.Epochs,
		batches, t.Halve, other, o.Reading.Batching())
	if o.Scale == paper.Quick {
		text = fmt.Sprintf("Quick: %s %s on %s, %s steps with %s, about %.0f draws of which the first half is left "+
			"out. %s ", name, size, data, claim.Whole(t.Brief.Steps), batches, t.Brief.Draws, o.Reading.Batching())
	}
	if o.Reading == paper.Text {
		return text + "The printed step is ε of the N-scaled update, and in further sessions h = εN/2 per mean " +
			"gradient, both at T = 1."
	}
	return text + "As in the authors' code the printed step is h per mean gradient (ε = 2h/N), and T = 1/N."
}

// settings are those of a full run beside the text's and the authors' code's (PAPER §3). The
// scripts of the CNNs were never released.
func (n *report) settings() paper.Table {
	const same, as = "as the code", "as the text"
	t := paper.Table{Title: "Settings", Head: []string{"Setting", "Text", "Authors' code", "Here"}}
	for _, x := range []struct{ what, text, code, authors, ours string }{
		{"printed step", "ε of N-scaled gradients", "h of mean gradients", same, as + ", and as h"},
		{"temperature", "1", "1/N", same, as},
		{"V₀", "0", "0", "0", "0"},
		{"prior in V", "no", "yes", as, as},
		{"thinning after a burn-in of 300", "100", "300", same, as},
		{"average over draws", "of probabilities", "of their logarithms, weighted by the step",
			"of probabilities, weighted by the step", "of probabilities, weighted by the step"},
		{"minibatches", "random subsets", "in the order of the data", "shuffled anew each epoch", as},
		{"RMSprop predicts by", "not said", "its average", "its newest weights, as SGD does",
			"its newest weights, as SGD does"},
		{"weights start as", "not said", "U(±√(6/(in + out + 1)))", same, "He's"},
		{"pixels", "not said", "divided by 126", same, "divided by 126"},
		{"step sizes", "all", "all", "all", "the first of each"},
		{"methods without a printed step", "not said", "none",
			"this program's defaults, constant steps, He's start", "none"},
	} {
		here := x.authors
		if n.o.Reading == paper.Text {
			here = x.ours
		}
		t.Rows = append(t.Rows, []string{x.what, x.text, x.code, here})
	}
	if n.table.Family == "cnn" {
		t.Note = "The CNNs' scripts were never released: what stands under the authors' code is that of the MLPs. " +
			"The CNN has 5×5 convolutions with 32 and 64 maps and \"same\" padding, each pooled 2×2, then its " +
			"dense layers."
		if slices.ContainsFunc(n.table.Rows, func(r *row) bool {
			return r.Target != "" && r.in(n.o, n.table.Sizes[0])
		}) {
			t.Note += " The networks that the paper quotes from elsewhere are smaller here than in their sources " +
				"and have fewer epochs (Zeiler and Fergus have 280), so that errors above the printed ones are to " +
				"be expected. Their step is halved every 4 epochs, and every 8 with NIN and maxout, which are " +
				"trained with momentum 0.9 as in their sources."
		}
	}
	return t
}

// reportTable is a table with what becomes of the paper's claims on it.
func reportTable(n *report) paper.Report {
	said, few := n.standing()
	r := paper.Report{Tables: []paper.Table{n.tableOf()}, Beside: n.beside(), Absent: n.absent()}
	r.Say(n.meaning()...)
	r.Say(few, n.choice())
	n.claims(n.table.Claims...)
	n.averaging()
	n.casesTable(&r)
	r.Verdict = strings.TrimSpace(said + " " + n.weighedSaid())
	r.Say(n.elsewhere()...)
	return r
}

func reportFig4(n *report) paper.Report {
	size := n.table.columns(n.o)[0]
	r := paper.Report{Figures: []figure.Figure{{
		ID: n.id, Title: "MLP " + size + n.suffix(), Columns: 2,
		Panels: []figure.Panel{n.weights("(a) Weights distribution", size), n.learning("(b) Learning curves", size)},
	}}}
	if tab, ok := n.weightsTable(); ok {
		r.Tables = append(r.Tables, tab)
	}
	if size != n.table.Sizes[len(n.table.Sizes)-1] && n.o.Scale == paper.Full {
		r.Say("In the text's reading the network is " + size + " and not 1200-1200: one size shows what becomes of it.")
	}
	n.converge(&r, rowPSGLD1, n.widths(size))
	return r
}

func reportSuppFig2(n *report) paper.Report {
	f := figure.Figure{ID: n.id, Title: "Learning curves of MLPs" + n.suffix(), Columns: 2}
	for i, size := range n.table.columns(n.o) {
		f.Panels = append(f.Panels, n.learning(fmt.Sprintf("(%c) %s", 'a'+i, size), size))
	}
	r := paper.Report{Figures: []figure.Figure{f}}
	n.converge(&r, rowPSGLD1)
	return r
}

func reportCNNCurves(n *report) paper.Report {
	size := n.table.columns(n.o)[0]
	r := paper.Report{Figures: []figure.Figure{{ID: n.id, Title: "Learning curves of the CNN" + n.suffix(), Columns: 1,
		Panels: []figure.Panel{n.learning("CNN "+size, size)}}}}
	var said []string
	if n.table.Dataset != "" { // no table of the paper's has it
		r.Tables = append(r.Tables, n.tableOf())
		for _, row := range n.table.Rows {
			if l := n.best(row.Name, size); l != nil {
				said = append(said, fmt.Sprintf("%s has a test error of %s%%.", l.label, l.test.Text(2)))
			}
		}
		r.Say(n.meaning()...)
	}
	r.Say(n.choice())
	n.claims(tableClaim{Says: "pSGLD comes to a lower error than SGLD", Pairs: []rowPair{{rowPSGLD, rowSGLD}}})
	n.converge(&r, rowPSGLD, said...)
	return r
}

// converge gives a report what was said, the claims that were weighed and how fast the curves fall
// as its verdict, and says how steady their ends are.
func (n *report) converge(r *paper.Report, psgld string, said ...string) {
	pairs := []rowPair{{psgld, rowRMSprop}, {rowSGLD, rowSGD}}
	n.faster("pSGLD converges faster than SGLD", rowPair{psgld, rowSGLD})
	if n.o.Reading == paper.Authors && n.has(rowSGD, n.table.columns(n.o)[0]) {
		n.faster("Samplers converge in fewer iterations than the optimisers that they come from", pairs...)
	}
	said = append(said, list.Map(n.weighed, weighed.String)...)
	r.Verdict = strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), " ")
	n.casesTable(r)
	steady, tab := n.steadiness(pairs...)
	if len(tab.Rows) > 0 {
		r.Tables = append(r.Tables, tab)
	}
	r.Say(steady, curveNote)
}
