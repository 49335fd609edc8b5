// Package f32 has the float32 kernels of network training: matrix products,
// convolutions, biases, rectifiers, pooling and the softmax.
//
// Every kernel has a generic form in Go, which defines it, and may have faster
// ones in assembly; which is used is settled once, see Path. Forms agree within
// the rounding that each kernel states. On one path a result does not depend on
// how the work is split over workers: no sum is ever split.
//
// Images are in NHWC order: the channels of a pixel are adjacent, then come the
// pixels of a row, the rows of an image and the images of a batch.
//
// No function allocates. Destinations come first, are not kept, and may not
// overlap what is read unless said. Wrong shapes panic.
package f32
