package dataset

import "path/filepath"

// A Known is a data set that the program knows by name.
type Known struct {
	Name   string // as in --target or --dataset
	Folder string // within the data folder
	What   string
	Rows   string
	Origin string
	Files  []File

	// Mirrors are the addresses of folders that hold the files, or the archive
	// if there is one, under their names; the first is tried first. They end
	// in a slash.
	Mirrors []string
	// Archive is what the files come packed in; nil if they come one by one.
	Archive *Archive
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

// An Archive is a gzipped tar file that holds the files of a Known in a folder.
type Archive struct {
	File
	Folder string
}

// path is where f is in the data folder dir. The files of an archive may also
// lie in the archive's folder, as they do where it was unpacked by hand.
func (k Known) path(dir string, f File) string {
	path := filepath.Join(dir, k.Folder, f.Name)
	if k.Archive == nil || isFile(path) {
		return path
	}
	if inner := filepath.Join(dir, k.Folder, k.Archive.Folder, f.Name); isFile(inner) {
		return inner
	}
	return path
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
			Mirrors: []string{
				"https://archive.ics.uci.edu/ml/machine-learning-databases/statlog/australian/",
			},
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
			Mirrors: []string{
				"https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/",
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
					Size:         9_912_422,
					SHA256:       "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
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
			Mirrors: []string{
				"https://storage.googleapis.com/cvdf-datasets/mnist/",
				"https://ossci-datasets.s3.amazonaws.com/mnist/",
				"https://systemds.apache.org/assets/datasets/mnist/",
			},
		},
		{
			Name:   "cifar10",
			Folder: "cifar10",
			What:   "binary version, 32×32×3, 10 classes",
			Rows:   "50,000 + 10,000",
			Origin: "Krizhevsky, Nair, Hinton",
			Files: []File{
				cifarBatch("data_batch_1.bin", "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"),
				cifarBatch("data_batch_2.bin", "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"),
				cifarBatch("data_batch_3.bin", "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"),
				cifarBatch("data_batch_4.bin", "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"),
				cifarBatch("data_batch_5.bin", "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"),
				cifarBatch("test_batch.bin", "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"),
			},
			Mirrors: []string{
				"https://www.cs.toronto.edu/~kriz/",
				"https://mindspore-website.obs.cn-north-4.myhuaweicloud.com/notebook/datasets/",
			},
			// The page publishes the archive's MD5, c32a1d4ab5d03f1284b67883e8d87530.
			// The SHA-256 sums are those that torchvision for Ruby checks.
			Archive: &Archive{
				File: File{
					Name:   "cifar-10-binary.tar.gz",
					Size:   170_052_171,
					SHA256: "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
				},
				Folder: cifarFolder,
			},
		},
	}
}

func cifarBatch(name, sum string) File {
	return File{Name: name, Size: cifarRecords * cifarRecord, SHA256: sum}
}
