package network

import (
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/list"
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
		{id: "table2", title: "Test error of MLPs on MNIST", source: "section 5.3, table 2", table: tableIn("table2"), report: reportTable,
			question: "Do samplers have lower test errors than the optimisers that they come from, pSGLD a lower one than SGLD, and are the errors the paper's?"},
		{id: "fig4", title: "MLP 1200-1200 on MNIST: weights and learning curves", source: "section 5.3, figure 4", table: tableIn("table2"),
			sizes: []string{"1200-1200"}, curves: true, report: reportFig4,
			question: "Does a larger prior variance widen the weights, and does pSGLD converge faster than SGLD and RMSprop?"},
		{id: "supp-fig2", title: "Learning curves of MLPs 400-400 and 800-800 on MNIST", source: "supplement F, figure 2", table: tableIn("table2"),
			sizes: []string{"400-400", "800-800"}, curves: true, report: reportSuppFig2,
			question: "Does pSGLD converge faster than SGLD and RMSprop on the smaller networks too?"},
		{id: "table3", title: "Test error of a CNN on MNIST", source: "section 5.4, table 3", table: tableIn("table3"), report: reportTable,
			question: "Do samplers have lower test errors than the optimisers that they come from on a convolutional network, and are the errors the paper's?"},
		{id: "fig5", title: "Learning curves of a CNN on MNIST", source: "section 5.4, figure 5", table: tableIn("table3"), curves: true, report: reportCNNCurves,
			question: "Does pSGLD converge faster than SGLD and RMSprop on a convolutional network, and to a lower error?"},
		{id: "supp-table1", title: "Test error of a CNN with one dense layer of 500 on MNIST", source: "supplement G, table 1", table: tableIn("supp-table1"), report: reportTable,
			question: "Are the test errors those of the paper on a convolutional network with one wide dense layer?"},
		{id: "supp-fig3", title: "Learning curves of a CNN with one dense layer of 500 on MNIST", source: "supplement G, figure 3", table: tableIn("supp-table1"),
			curves: true, report: reportCNNCurves,
			question: "Does pSGLD converge faster than SGLD and RMSprop on that network?"},
		{id: "supp-fig4", title: "Learning curves of a CNN on CIFAR-10", source: "supplement G, figure 4", table: tableIn("supp-fig4"), curves: true, report: reportCNNCurves,
			question: "Does pSGLD converge faster than SGLD and RMSprop on colour images, and to a lower error?"},
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
		ID: e.id, Title: e.title, Source: e.source, Question: e.question, Readings: []paper.Reading{paper.Authors, paper.Text},
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
				if n.table.Dataset == "cifar10" {
					why = needsCIFAR + ". psgld-tui data fetch cifar10 brings it to the data folder."
				}
				return paper.Report{Findings: []string{"Not run: " + why}}
			}
			rep := e.report(n)
			rep.Findings = append(n.labels(), rep.Findings...)
			return rep
		},
	}
}

const needsCIFAR = "it needs CIFAR-10"

// labels say in what the numbers differ from the paper's.
func (n *report) labels() (all []string) {
	if n.o.Scale == paper.Quick {
		all = append(all, fmt.Sprintf("Quick run: %.0f steps on the network %s, for a look. The numbers are not the paper's and are not held to them; what is said of claims is of this run.",
			n.table.Brief.Steps, n.table.Brief.Size))
	}
	if n.table.Dataset == "" && n.dataset != "mnist" {
		all = append(all, fmt.Sprintf("The data are %s and not MNIST, which was not found: no number is held to the paper's.", n.dataset))
	}
	return all
}

// protocol says what is run, and in what it differs from the text and from the authors'
// code (PAPER §3).
func (t *table) protocol(o paper.Options) string {
	name := map[string]string{"mlp": "MLPs with hidden layers", "cnn": "CNN (5×5 convolutions with \"same\" padding, each pooled 2×2) with dense layers"}[t.Family]
	data := "MNIST, or the embedded strokes where MNIST is not found"
	if t.Dataset == "cifar10" {
		data = "CIFAR-10"
	}
	var text string
	if o.Scale == paper.Quick {
		text = fmt.Sprintf("Quick: %s %s on %s, %.0f steps of 100 images, the step halved as often as in a full run, about %.0f draws. ",
			name, t.Brief.Size, data, t.Brief.Steps, t.Brief.Draws)
	} else {
		text = fmt.Sprintf("%s %s on %s, %g epochs of batches of 100, the step halved every %g. ", name, strings.Join(t.columns(o), ", "), data, t.Epochs, t.Halve)
	}
	if o.Reading == paper.Text {
		thinned := "thinned by 100 after 300, "
		if o.Scale == paper.Quick {
			thinned = "without the first half of the draws, "
		}
		return text + "The text by the letter: its ε in the N-scaled update, T = 1, " + o.Reading.Batching() + ", " + thinned + "weights started as He has them, at the first size and step size alone; " +
			"and each sampler again with the printed number as the step h = εN/2 per mean gradient, still at T = 1. Methods from elsewhere are not in this reading."
	}
	thinned := "every 300th draw counts after 300. "
	if o.Scale == paper.Quick {
		thinned = "the first half of the draws is left out. "
	}
	text += "As in the authors' code the printed step is h per mean gradient (ε = 2h/N), T = 1/N, V₀ = 0, pixels are divided by 126 and weights start as U(±√(6/(in+out+1))); " + thinned +
		"Unlike it: probabilities are averaged, weighted by the step, and not their logarithms; the prior is not in V; batches are shuffled anew each epoch; " +
		"RMSprop predicts by its newest weights, as SGD does. Methods without a printed step size have their own defaults, constant steps and He's start. RMSspectral's minibatches are of 1,000."
	if slices.ContainsFunc(t.Rows, func(r *row) bool { return r.Target != "" && r.in(o, t.Sizes[0]) }) {
		text += " The networks that the paper quotes from elsewhere are smaller here than in their sources and have fewer epochs (Zeiler and Fergus have 280), so that errors above the printed ones are to be expected. Their step is halved every 4 epochs."
	}
	if t.Family == "cnn" {
		text += " The CNNs' scripts were never released: this is the MLP's reading carried over."
	}
	return text
}

// reportTable is a table with what becomes of the paper's claims on it.
func reportTable(n *report) paper.Report {
	r := paper.Report{Verdict: n.standing(), Tables: []paper.Table{n.tableOf()}, Beside: n.beside(), Absent: n.absent()}
	r.Say(n.meaning()...)
	r.Say(n.choice())
	r.Say(n.claims(n.table.Claims...)...)
	r.Say(n.averaging())
	n.casesTable(&r)
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
		r.Say("In the text's reading the network is " + size + ", which shows what becomes of it, and not 1200-1200.")
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
	r := paper.Report{Figures: []figure.Figure{{ID: n.id, Title: "Learning curves of the CNN" + n.suffix(), Columns: 1, Panels: []figure.Panel{n.learning("CNN "+size, size)}}}}
	if n.table.Dataset != "" { // no table of the paper's has it
		r.Tables = append(r.Tables, n.tableOf())
		r.Say(n.meaning()...)
	}
	r.Say(n.choice())
	n.converge(&r, rowPSGLD, n.claims(tableClaim{Says: "pSGLD comes to a lower error than SGLD", Pairs: []rowPair{{rowPSGLD, rowSGLD}}})...)
	return r
}

// converge gives a report what was said and how fast the curves fall as its verdict, and says how
// steady their ends are.
func (n *report) converge(r *paper.Report, psgld string, said ...string) {
	pairs := []rowPair{{psgld, rowRMSprop}, {rowSGLD, rowSGD}}
	said = append(said, n.faster("pSGLD converges faster than SGLD", rowPair{psgld, rowSGLD}))
	if n.o.Reading == paper.Authors && n.has(rowSGD, n.table.columns(n.o)[0]) {
		said = append(said, n.faster("samplers take fewer iterations to converge than the optimisers that they come from", pairs...))
	}
	r.Verdict = strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), " ")
	n.casesTable(r)
	steady, tab := n.steadiness(pairs...)
	if len(tab.Rows) > 0 {
		r.Tables = append(r.Tables, tab)
	}
	r.Say(steady, curveNote)
}
