package nets

// StochasticCNN is CNN with stochastic pooling, after biases and rectifiers, in place of maxima.
func StochasticCNN(in Input, channels, hidden []int, classes int) (*Network, error) {
	var layers []Layer
	for _, c := range channels {
		layers = append(layers, Conv{Kernel: 5, Channels: c}, BiasReLU{}, StochasticPool{})
	}
	return New(in, perceptron(layers, hidden, classes)...)
}

// NIN is network in network (Lin et al. 2014, figure 2 and section 4.1): three blocks, each of a convolution, which is
// 5×5 and in the last block 3×3, and two 1×1 convolutions, with biases and rectifiers. The first two blocks are pooled
// 2×2 by maxima and dropped out; the last ends in a channel for each class, whose mean is the logit. The authors' code
// has a rectifier after it, and this has none: where all logits are 0 it leaves no gradient, and early training was
// slower. widths are the channels of each block's convolutions; the last number is not read, since it is the number of
// classes.
func NIN(in Input, widths [3][3]int, classes int) (*Network, error) {
	widths[2][2] = classes
	var layers []Layer
	for i, w := range widths {
		layers = append(layers, Conv{[...]int{5, 5, 3}[i], w[0]}, BiasReLU{}, Conv{1, w[1]}, BiasReLU{}, Conv{1, w[2]})
		if i < len(widths)-1 {
			layers = append(layers, MaxPool{}, BiasReLU{}, Dropout{})
		}
	}
	return New(in, append(layers, Bias{}, GlobalPool{})...)
}

// MaxoutCNN is the convolutional maxout network of Goodfellow et al. (2013, section 5.1): 5×5 convolutions to units of
// several pieces each, pooled 2×2 by maxima and dropped out, and a dense layer to the classes.
func MaxoutCNN(in Input, units, pieces []int, classes int) (*Network, error) {
	var layers []Layer
	for i, u := range units {
		layers = append(layers, Conv{5, u * pieces[i]}, MaxPool{}, Bias{}, Maxout{pieces[i]}, Dropout{})
	}
	return New(in, append(layers, Dense{classes}, Bias{})...)
}
