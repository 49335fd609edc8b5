package panel

import "github.com/psgld/psgld-tui/engine"

// inPercent ends the titles of charts of shares, which tables give in percent too.
const inPercent = " in %"

// Quantities of a point of a lane's history.
func covError(p *engine.Point) float64 { return p.CovError }

func meanError(p *engine.Point) float64 { return p.MeanError }

func testError(p *engine.Point) float64 { return 100 * p.TestError }

func trainError(p *engine.Point) float64 { return 100 * p.TrainError }

func logPost(p *engine.Point) float64 { return p.LogPost }

func newest(p *engine.Point) float64 { return 100 * p.Newest }

func testNLL(p *engine.Point) float64 { return p.TestNLL }

func newestNLL(p *engine.Point) float64 { return p.NewestNLL }

func testBrier(p *engine.Point) float64 { return p.TestBrier }

func testECE(p *engine.Point) float64 { return p.TestECE }

func temperature(p *engine.Point) float64 { return p.Temp }

func drift(p *engine.Point) float64 { return p.Drift }

func noise(p *engine.Point) float64 { return p.Noise }

func gainMin(p *engine.Point) float64 { return p.GMin }

func gainMax(p *engine.Point) float64 { return p.GMax }

func loss(p *engine.Point) float64 { return p.Loss }

func elbo(p *engine.Point) float64 { return p.ELBO }
