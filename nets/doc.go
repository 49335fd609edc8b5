// Package nets holds neural networks over one flat float32 parameter vector:
// layers with forward and backward passes that write into a workspace sized
// once, and so allocate nothing per step.
package nets
