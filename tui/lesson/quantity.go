package lesson

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/cmdline"
	"github.com/psgld/psgld-tui/tui/plane"
)

// form is how a quantity's values are written.
type form uint8

const (
	asNumber form = iota // three digits, as in a table
	asCount
	asShare   // a percentage
	asSwitch  // yes or no
	asSetting // as it was set
)

// A quantity is a number of a lane, or of the session, that conditions and texts
// can name.
type quantity struct {
	name   string
	symbol string // on the screen
	doc    string
	form   form
	// lane reads it of a lane. Why is empty if it is known, else the reason why it
	// is not.
	lane func(v *engine.LaneView) (x float64, why string)
	// since reads it of a lane for a scene that began when the lane had kept so many
	// draws, for a quantity that counts from there.
	since func(v *engine.LaneView, began uint64) float64
	// counts says that it grows by waiting alone.
	counts bool
	// session reads it of the session, for a quantity without a lane; NaN where it
	// is not known.
	session func(s *engine.Snapshot) float64
}

const (
	notKnown = "not known"
	noLane   = "no such lane"
)

// read reads a quantity of a lane by its ID.
func (q *quantity) read(s sight, lane int) (x float64, why string) {
	if s.Snapshot == nil {
		return math.NaN(), notKnown
	}
	if q.session != nil {
		if x = q.session(s.Snapshot); math.IsNaN(x) {
			why = notKnown
		}
		return x, why
	}
	for i := range s.Lanes {
		if v := &s.Lanes[i]; v.ID == lane {
			if q.since != nil {
				return q.since(v, s.began[lane]), ""
			}
			x, why = q.lane(v)
			if why == "" && math.IsNaN(x) {
				why = notKnown
			}
			return x, why
		}
	}
	return math.NaN(), noLane
}

// at is how a quantity of a lane is written in a condition.
func (q *quantity) at(lane int) string {
	if q.session != nil {
		return q.name
	}
	return q.name + "(" + engine.LaneLetter(lane) + ")"
}

// normalName allows a dash for an underscore, as the parameters' keys have them.
func normalName(name string) string { return strings.ReplaceAll(name, "-", "_") }

func findQuantity(name string) (*quantity, bool) {
	name = normalName(name)
	all := quantities()
	i, ok := slices.BinarySearchFunc(all, name, func(q *quantity, name string) int { return strings.Compare(q.name, name) })
	if !ok {
		return nil, false
	}
	return all[i], true
}

// QuantityNames lists the quantities that a condition may name.
func QuantityNames() []string {
	var names []string
	for _, q := range quantities() {
		names = append(names, q.name)
	}
	return names
}

// QuantityDoc says what a quantity is, "" for a name that is none.
func QuantityDoc(name string) string {
	if q, ok := findQuantity(name); ok {
		return q.doc
	}
	return ""
}

// SettingDoc begins what QuantityDoc says of a quantity that is a setting.
const SettingDoc = "the setting: "

// quantities lists all, by name: those below, every parameter of a sampler, and
// of some the value in the window before the newest change.
var quantities = sync.OnceValue(func() []*quantity {
	all := append(live(), before()...)
	all = append(all,
		&quantity{name: "lanes", symbol: "lanes", doc: "the number of lanes", form: asCount,
			session: func(s *engine.Snapshot) float64 { return float64(len(s.Lanes)) }},
		&quantity{name: "test_data", symbol: "test data", doc: "how many data the test set has", form: asCount, session: testData})
	for _, key := range cmdline.ParamKeys() {
		p := paramOf(key)
		q := &quantity{name: normalName(key), symbol: p.Symbol, doc: SettingDoc + p.Doc, form: asSetting,
			lane: func(v *engine.LaneView) (float64, string) { return setting(v.Setting, key) }}
		q2 := &quantity{name: q.name + "_before", symbol: p.Symbol + " before", doc: q.doc + ", before the newest change", form: asSetting,
			lane: previous(func(w *engine.Window) (float64, string) { return setting(w.Setting, key) })}
		all = append(all, q, q2)
	}
	slices.SortFunc(all, func(a, b *quantity) int { return strings.Compare(a.name, b.name) })
	return all
})

// testData is the size of the test set, NaN without one.
func testData(s *engine.Snapshot) float64 {
	if s.Problem != nil {
		t, ok := s.Problem.Impl().(interface {
			Labels(targets.Split) []int32
		})
		if ok && len(t.Labels(targets.Test)) > 0 {
			return float64(len(t.Labels(targets.Test)))
		}
	}
	return math.NaN()
}

// paramOf is the first parameter with a key that some method has.
func paramOf(key string) param.Param {
	for _, m := range catalog.Methods() {
		if p, ok := m.Param(key); ok {
			return p
		}
	}
	panic("lesson: no sampler has the parameter " + key)
}

func setting(l engine.Lane, key string) (float64, string) {
	if x, ok := l.Values[key]; ok {
		return x, ""
	}
	return math.NaN(), "no such setting"
}

func known(x float64) (float64, string) { return x, "" }

func estimate(e metrics.Estimate) (float64, string) { return e.Value, e.Status.String() }

// settled is x once the lane has draws enough for what stands on all of them: 50 τ
// of a chain, and of a family, whose draws are independent, as many.
func settled(v *engine.LaneView, x float64) (float64, string) {
	switch {
	case v.Diverged != nil:
		return math.NaN(), metrics.Diverged.String()
	case v.Kind != sampler.Variational:
		return x, v.MaxACT.Status.String()
	case v.Draws < enoughDraws:
		return x, metrics.TooShort.String()
	}
	return known(x)
}

// enoughDraws are 50 τ of independent draws, whose τ is ½.
const enoughDraws = 25

// scored is a score of predictions, which there is from the first draw on.
func scored(v *engine.LaneView, x float64) (float64, string) {
	if math.IsNaN(x) && v.Draws == 0 && v.Diverged == nil {
		return x, "no draws"
	}
	return known(x)
}

func live() []*quantity {
	type view = engine.LaneView
	of := func(name, symbol, doc string, f form, lane func(v *view) (float64, string)) *quantity {
		return &quantity{name: name, symbol: symbol, doc: doc, form: f, lane: lane}
	}
	count := func(name, symbol, doc string, f form, lane func(v *view) float64) *quantity {
		return &quantity{name: name, symbol: symbol, doc: doc, form: f, counts: true, lane: func(v *view) (float64, string) { return known(lane(v)) }}
	}
	return []*quantity{
		count("steps", "steps", "steps taken", asCount, func(v *view) float64 { return float64(v.Step) }),
		count("draws", "draws", "draws kept since the newest change", asCount, func(v *view) float64 { return float64(v.Draws) }),
		{name: "new_draws", symbol: "new draws", doc: "draws kept since the newest change or the scene's beginning, whichever is later", form: asCount, counts: true, since: newDraws},
		count("kept", "draws kept", "draws kept in all", asCount, func(v *view) float64 { return float64(v.Kept) }),
		count("epoch", "epochs", "passes over the data", asNumber, func(v *view) float64 { return v.Epoch }),
		of("tau", "τ", "autocorrelation time of the slowest coordinate, ½ + Σρ, in draws", asNumber, func(v *view) (float64, string) { return estimate(v.MaxACT) }),
		of("ess", "ESS", "effective draws of the slowest coordinate", asNumber, func(v *view) (float64, string) { return estimate(v.MinESS) }),
		of("ess_per_gradient", "ESS per gradient", "effective draws for each gradient of one datum", asNumber, func(v *view) (float64, string) { return known(v.ESSPerG) }),
		of("ess_per_second", "ESS per second", "effective draws a second of sampling; differs from run to run", asNumber, func(v *view) (float64, string) { return known(v.ESSPerSec) }),
		of("cov_error", "covariance error", "sum of the absolute errors of the covariance", asNumber, func(v *view) (float64, string) { return settled(v, v.CovError) }),
		of("mean_error", "error of the mean", "root mean square error of the mean", asNumber, func(v *view) (float64, string) { return settled(v, v.MeanError) }),
		of("bias", "bias", "the part of the covariance error that the step size causes, where it is known exactly", asNumber, func(v *view) (float64, string) { return known(v.Bias) }),
		of("temperature", "temperature", "configurational temperature, T for a correct sampler", asNumber, func(v *view) (float64, string) { return estimate(v.Virial) }),
		of("mean_x", "mean along x", "mean of the draws along the stage's x axis", asNumber, func(v *view) (float64, string) { return settled(v, v.Coords[0].Mean) }),
		of("mean_y", "mean along y", "mean of the draws along the stage's y axis", asNumber, func(v *view) (float64, string) { return settled(v, v.Coords[1].Mean) }),
		of("var_x", "variance along x", "variance of the draws along the stage's x axis", asNumber, func(v *view) (float64, string) { return settled(v, v.Cov[0]) }),
		of("var_y", "variance along y", "variance of the draws along the stage's y axis", asNumber, func(v *view) (float64, string) { return settled(v, v.Cov[2]) }),
		of("tau_x", "τ along x", "autocorrelation time along the stage's x axis", asNumber, func(v *view) (float64, string) { return estimate(v.Coords[0].ACT) }),
		of("tau_y", "τ along y", "autocorrelation time along the stage's y axis", asNumber, func(v *view) (float64, string) { return estimate(v.Coords[1].ACT) }),
		of("lag1_x", "lag-1 correlation along x", "correlation of neighbouring draws along the stage's x axis", asNumber, func(v *view) (float64, string) { return lag1(v, 0) }),
		of("lag1_y", "lag-1 correlation along y", "correlation of neighbouring draws along the stage's y axis", asNumber, func(v *view) (float64, string) { return lag1(v, 1) }),
		of("test_error", "test error", "share of the test data that the averaged probabilities get wrong", asShare, func(v *view) (float64, string) { return scored(v, v.Test.Error) }),
		of("nll", "test NLL", "negative log-likelihood a test datum, of the averaged probabilities", asNumber, func(v *view) (float64, string) { return scored(v, v.Test.NLL) }),
		of("brier", "Brier score", "Brier score on the test data, of the averaged probabilities", asNumber, func(v *view) (float64, string) { return scored(v, v.Test.Brier) }),
		of("ece", "calibration error", "expected calibration error of the averaged probabilities", asNumber, func(v *view) (float64, string) { return scored(v, v.Test.ECE) }),
		of("train_error", "training error", "test_error on the training data, where it is evaluated", asShare, func(v *view) (float64, string) { return scored(v, v.Train.Error) }),
		of("newest_error", "test error of the newest draw", "test_error of the newest draw alone", asShare, func(v *view) (float64, string) { return scored(v, v.Newest.Error) }),
		of("newest_nll", "test NLL of the newest draw", "nll of the newest draw alone", asNumber, func(v *view) (float64, string) { return scored(v, v.Newest.NLL) }),
		of("loss", "loss", "negative log-likelihood a datum, of the newest draw", asNumber, func(v *view) (float64, string) { return known(v.Loss) }),
		of("log_post", "log posterior", "log posterior of the newest draw, up to a constant", asNumber, func(v *view) (float64, string) { return known(v.LogPost) }),
		of("elbo", "ELBO", "lower bound of the evidence, of a variational family", asNumber, func(v *view) (float64, string) { return known(v.ELBO) }),
		of("eps_now", "ε in force", "step size that the schedule has come to", asNumber, func(v *view) (float64, string) { return known(v.Eps) }),
		of("drift", "drift", "norm of the newest step's drift", asNumber, func(v *view) (float64, string) { return stepped(v, v.Drift) }),
		of("noise", "noise", "norm of the newest step's noise", asNumber, func(v *view) (float64, string) { return stepped(v, v.Noise) }),
		of("gmin", "smallest G", "smallest entry of the newest step's preconditioner G", asNumber, func(v *view) (float64, string) { return stepped(v, v.GMin) }),
		of("gmax", "largest G", "largest entry of the newest step's preconditioner G", asNumber, func(v *view) (float64, string) { return stepped(v, v.GMax) }),
		of("now_x", "x", "where the chain stands along the stage's x axis", asNumber, func(v *view) (float64, string) { return known(v.Now[0]) }),
		of("now_y", "y", "where the chain stands along the stage's y axis", asNumber, func(v *view) (float64, string) { return known(v.Now[1]) }),
		of("acceptance", "acceptance", "mean probability of acceptance, of hmc and mala", asNumber, func(v *view) (float64, string) { return known(v.Acceptance) }),
		of("diverged", "diverged", "whether the lane has diverged", asSwitch, func(v *view) (float64, string) { return yes(v.Diverged != nil) }),
		of("seconds", "seconds", "seconds of sampling; differs from run to run", asNumber, func(v *view) (float64, string) { return known(v.Seconds) }),
		of("steps_per_second", "steps per second", "steps a second; differs from run to run", asNumber, func(v *view) (float64, string) { return known(v.Rate) }),
	}
}

func newDraws(v *engine.LaneView, began uint64) float64 {
	return float64(min(v.Draws, v.Kept-min(v.Kept, began)))
}

// before are quantities of the window that the newest change ended.
func before() []*quantity {
	trusted := func(w *engine.Window, x float64) (float64, string) { return x, w.MaxACT.Status.String() }
	of := func(name, symbol string, f form, read func(w *engine.Window) (float64, string)) *quantity {
		return &quantity{name: name + "_before", symbol: symbol + " before", doc: name + " of the draws before the newest change", form: f, lane: previous(read)}
	}
	return []*quantity{
		of("draws", "draws", asCount, func(w *engine.Window) (float64, string) { return known(float64(w.Draws)) }),
		of("tau", "τ", asNumber, func(w *engine.Window) (float64, string) { return estimate(w.MaxACT) }),
		of("ess", "ESS", asNumber, func(w *engine.Window) (float64, string) { return estimate(w.MinESS) }),
		of("cov_error", "covariance error", asNumber, func(w *engine.Window) (float64, string) { return trusted(w, w.CovError) }),
		of("temperature", "temperature", asNumber, func(w *engine.Window) (float64, string) { return trusted(w, w.Temp) }),
		of("test_error", "test error", asShare, func(w *engine.Window) (float64, string) { return known(w.TestError) }),
	}
}

func previous(read func(w *engine.Window) (float64, string)) func(v *engine.LaneView) (float64, string) {
	return func(v *engine.LaneView) (float64, string) {
		if v.Previous == nil {
			return math.NaN(), "nothing changed yet"
		}
		return read(v.Previous)
	}
}

func lag1(v *engine.LaneView, axis int) (float64, string) {
	if len(v.ACF[axis]) < 2 {
		return math.NaN(), metrics.TooShort.String()
	}
	return settled(v, v.ACF[axis][1])
}

func stepped(v *engine.LaneView, x float64) (float64, string) {
	if v.Step == 0 {
		return math.NaN(), "no step yet"
	}
	return known(x)
}

func yes(b bool) (float64, string) {
	if b {
		return 1, ""
	}
	return 0, ""
}

// format writes a value of q.
func (q *quantity) format(x float64) string {
	switch q.form {
	case asCount:
		if x >= 0 && x < 1<<63 && x == math.Trunc(x) {
			return plane.Count(uint64(x))
		}
	case asShare:
		return plane.Number(x*100, numberWidth) + "%"
	case asSwitch:
		if x != 0 {
			return "yes"
		}
		return "no"
	case asSetting:
		if p, ok := q.param(); ok && p.Scale == param.Choice || x == 0 {
			return p.Format(x)
		}
		return plane.Exponents(strconv.FormatFloat(x, 'g', 6, 64))
	}
	return plane.Number(x, numberWidth)
}

// numberWidth is the room for a value.
const numberWidth = 8

func (q *quantity) param() (param.Param, bool) {
	name := strings.TrimSuffix(q.name, "_before")
	for _, key := range cmdline.ParamKeys() {
		if normalName(key) == name {
			return paramOf(key), true
		}
	}
	return param.Param{}, false
}
