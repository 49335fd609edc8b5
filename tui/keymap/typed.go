package keymap

// Phrases lists what is best known of what has no key and is typed after that of the
// palette, in the order of the help. A word in capitals stands for what is typed there.
func Phrases() []Gesture {
	return []Gesture{
		{":palette tol", "other colours for the colour-blind"},
		{":ascii on", "printable ASCII only"},
		{":fps 10", "fewer frames, for a slow line"},
		{":picture F.png", "the screen as PNG, or as SVG"},
		{":pane-picture F", "the focused pane alone"},
		{":table F.csv", "the curves and draws as numbers"},
		{":write DIR", "save the session in a folder"},
		{":run 500", "so many steps, then pause"},
		{":go 5000", "to a step of the tape"},
		{":schedule …", "halve:20ep, poly:a,b,gamma, const"},
		{":watch 3 7", "two coordinates by number"},
		{":shift noise 80", "test images: noise, rotate, blur …"},
	}
}
