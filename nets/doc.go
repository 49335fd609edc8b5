// Package nets holds neural networks that classify images, over one flat float32 parameter vector.
//
// A Network describes layers and where their parameters lie; it never changes and is shared. A Workspace is the memory
// and the workers of one user of it, sized once: Grad and Predict allocate nothing. Results have the same bits for
// every number of workers.
//
// GradRandom is Grad with layers that draw: dropout and stochastic pooling. The numbers drawn depend on the layer, the
// example's place in the minibatch and the unit. GradDistill fits a network to the probabilities of another. Grad and
// Predict draw nothing.
//
// Examples are rows of bytes, an image's channels adjacent, then the pixels of a row, then the rows. All layers keep
// images in that order, and a dense layer reads them in it, as after a flattening layer. A dense first layer skips the
// pixels that are 0 if most are, as in images of handwriting. The bits are the same; only a weight that is not finite
// goes unnoticed where no image of the batch has its pixel.
package nets
