package thesis

import _ "embed"

// Published figures.

// Speedup is an entry of table A.4.
type Speedup struct{ Typical, Root, Scaled float64 }

// SpeedupRanks and SpeedupItems are the rows and the columns of Speedups, table A.4.
var (
	SpeedupRanks = []int{2, 4, 8, 16, 32}
	SpeedupItems = []int{10000, 20000, 40000, 80000}
	Speedups     = [][]Speedup{
		{{4.2071, 2.0511, 1.9766}, {4.0408, 2.0102, 1.9793}, {4.0744, 2.0185, 1.9969}, {3.9459, 1.9864, 1.9976}},
		{{15.1805, 3.8962, 3.6051}, {17.7372, 4.2116, 3.8603}, {17.3316, 4.1631, 3.9074}, {15.9474, 3.9934, 3.9446}},
		{{44.9873, 6.7073, 5.6018}, {61.1046, 7.8169, 6.8294}, {67.8781, 8.2388, 7.1970}, {67.6620, 8.2257, 7.6259}},
		{{68.5619, 8.2802, 5.8087}, {146.5111, 12.1042, 9.0301}, {201.0915, 14.1807, 11.1338},
			{245.9580, 15.6830, 13.2327}},
		{{76.1486, 8.7263, 6.0604}, {239.7313, 15.4833, 8.9786}, {386.9224, 19.6703, 12.5176},
			{633.9893, 25.1791, 17.4460}},
	}
)

// ByTopology is table A.7: the scaled speedup on a hypercube and on a ring of 2, 4, 8 and 16 processors.
var ByTopology = [][2]float64{{1.98, 1.98}, {3.82, 3.80}, {6.85, 6.37}, {10.97, 7.34}}

// Validation is the measured and the predicted times of tables A.1 to A.3, for study.ReadCompared.
//
//go:embed validation.tsv
var Validation string
