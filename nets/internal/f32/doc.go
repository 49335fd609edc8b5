// Package f32 has the float32 kernels of network training: matrix products,
// convolutions, biases, rectifiers, pooling and the softmax.
//
// Every kernel has a form in Go, which defines it, and may have faster ones in assembly;
// which is used is settled once, when a program starts. All give the same bits, however
// the work is split over workers: a sum has one order, and is never split otherwise.
//
// A sum of products adds a term by a fused multiply-add, rounded once. In Go this is emulated, which is slow, and so
// the generic path rounds each product too: its sums have other bits, and only these.
//
// Convolutions of 5×5 squares with whole vectors of channels are computed by Winograd's algorithm, and
// others directly. The choice depends on the shape alone.
//
// Images are in NHWC order: the channels of a pixel are adjacent, then come the
// pixels of a row, the rows of an image and the images of a batch.
//
// No function allocates. Destinations come first, are not kept, and may not
// overlap what is read unless said. Wrong shapes panic.
package f32
