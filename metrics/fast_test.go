//go:build !slow

package metrics

// calibrationRuns is how many chains of each kind the calibration looks at. The tag slow makes it 200.
const calibrationRuns = 40
