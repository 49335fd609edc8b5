// Package nets holds neural networks that classify images, over one flat
// float32 parameter vector.
//
// A Network describes layers and where their parameters lie; it never changes
// and is shared. A Workspace is the memory and the workers of one user of it,
// sized once: Grad and Predict allocate nothing. Results have the same bits
// for every number of workers.
//
// Examples are rows of bytes, an image's channels adjacent, then the pixels of
// a row, then the rows: the order in which all layers keep images. A dense
// layer takes them in that order, which is what a flattening layer would do.
package nets
