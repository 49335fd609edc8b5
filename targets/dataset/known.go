package dataset

// A Known is a data set that the program knows by name.
type Known struct {
	Name   string // as in --target or --dataset
	Folder string // within the data folder
	What   string
	Rows   string
	Origin string
	Files  []File
}

// A File is one file of a Known, with what identifies its content.
type File struct {
	Name   string
	Size   int64
	SHA256 string
	// Unpacked and UnpackedSize identify what a gzipped file unpacks to. A
	// file that was packed anew is then accepted as well. Empty for others.
	Unpacked     string
	UnpackedSize int64
}

// KnownSets lists the data folder's catalogue.
func KnownSets() []Known {
	return []Known{
		{
			Name:   "australian",
			Folder: "australian",
			What:   "14 features and a 0/1 label, blank-separated",
			Rows:   "690 (307 positive)",
			Origin: "Statlog Australian Credit Approval, UCI",
			Files: []File{{
				Name:   "australian.dat",
				Size:   28_735,
				SHA256: "3abe5af151afa50b999a9ba21cbc884e80d80a4050b716cf88b34a2e6ecb731c",
			}},
		},
		{
			Name:   "a9a",
			Folder: "a9a",
			What:   "LIBSVM text, features 1..123",
			Rows:   "32,561 (7,841 positive) + 16,281 (3,846 positive)",
			Origin: "LIBSVM collection, from UCI Adult",
			Files: []File{
				{
					Name:   "a9a",
					Size:   2_329_875,
					SHA256: "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906",
				},
				{
					Name:   "a9a.t",
					Size:   1_164_628,
					SHA256: "1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9",
				},
			},
		},
		{
			Name:   "mnist",
			Folder: "mnist",
			What:   "IDX files, gzipped, 28×28, 10 classes",
			Rows:   "60,000 + 10,000",
			Origin: "LeCun, Cortes, Burges",
			Files: []File{
				{
					Name:         "train-images-idx3-ubyte.gz",
					Size:         9_719_438,
					SHA256:       "0b367032e93c5d0cea0925647cfdb18614af8ee15f83e6f2fc2ad904a6835971",
					Unpacked:     "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
					UnpackedSize: 47_040_016,
				},
				{
					Name:         "train-labels-idx1-ubyte.gz",
					Size:         28_881,
					SHA256:       "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
					Unpacked:     "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
					UnpackedSize: 60_008,
				},
				{
					Name:         "t10k-images-idx3-ubyte.gz",
					Size:         1_648_877,
					SHA256:       "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
					Unpacked:     "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
					UnpackedSize: 7_840_016,
				},
				{
					Name:         "t10k-labels-idx1-ubyte.gz",
					Size:         4_542,
					SHA256:       "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
					Unpacked:     "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
					UnpackedSize: 10_008,
				},
			},
		},
	}
}
