package sampler

// A Method is an update rule with all that is said of it anywhere: the command
// line, the pickers, the parameter strip and the help read nothing else.
type Method struct {
	Name     string // on the command line
	Title    string // on the screen
	Doc      string
	Equation string
	Source   string
	Params   []Param // its own, beside Common
	Plain    bool    // without a preconditioner: its step size is on another scale
	New64    func(dim int) Kernel[float64]
	New32    func(dim int) Kernel[float32]
	// StationaryCov writes the exact stationary covariance (row-major D×D) that
	// the method's discretisation has on a target, where it is known; nil where
	// it never is.
	StationaryCov func(dst []float64, target any, p *Params) bool
	// MaxStep is asked after a divergence, with the last step's Info. It returns
	// the ε up to which the method is known to be stable on a
	// target and the formula of that bound; nil where none is known.
	MaxStep func(target any, p *Params, i *Info) (eps float64, formula string, ok bool)
}

// Methods lists every method. To add one, write its file and name it here.
func Methods() []Method { return []Method{psgld, sgld} }

// Find returns the method of a name.
func Find(name string) (Method, bool) {
	for _, m := range Methods() {
		if m.Name == name {
			return m, true
		}
	}
	return Method{}, false
}

// Names lists the methods' names.
func Names() []string {
	var names []string
	for _, m := range Methods() {
		names = append(names, m.Name)
	}
	return names
}

// Keys of the parameters that every method has.
const (
	KeyEps      = "eps"
	KeyTemp     = "temp"
	KeyBatch    = "batch"
	KeyThin     = "thin"
	KeyBurnIn   = "burn-in"
	KeyPriorVar = "prior-var"
)

// Common declares the parameters that every method has.
func Common() []Param {
	return []Param{
		{Key: KeyEps, Symbol: "ε", Doc: "step size", Scale: Log, Min: 0, OpenMin: true, Max: inf, Lo: 1e-8, Hi: 10, Default: 0.1},
		{Key: KeyTemp, Symbol: "T", Doc: "temperature: 1 samples the posterior, 0 optimises", Scale: Log, Min: 0, Max: inf, Lo: 1e-6, Hi: 10, Default: 1},
		{Key: KeyBatch, Symbol: "batch", Doc: "minibatch size, or full for all data", Scale: Whole, Zero: "full", Min: 0, Max: maxWhole, Lo: 1, Hi: 1e4, NeedsData: true},
		{Key: KeyPriorVar, Symbol: "σ²", Doc: "variance of the prior N(0, σ²)", Scale: Log, Min: 0, OpenMin: true, Max: inf, Lo: 1e-3, Hi: 1e5, Default: 1, NeedsData: true},
		{Key: KeyThin, Symbol: "thin", Doc: "every how many steps a draw is kept", Scale: Whole, Min: 1, Max: maxWhole, Lo: 1, Hi: 1e4, Default: 1},
		{Key: KeyBurnIn, Symbol: "burn-in", Doc: "steps dropped at the start", Scale: Whole, Min: 0, Max: maxWhole, Lo: 0, Hi: 1e6},
	}
}
