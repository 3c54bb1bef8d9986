package semantic

// foldFunc computes the value of an object from the values of its children at
// one time, in their order. changed is the child that changed last.
type foldFunc func(children []float64, changed int, p params) float64

// foldTable lists the functions of tasks, ptasks, workload, nodes and the
// system over their children.
var foldTable = []Entry{
	{Name: "Adding", Doc: "sum of the children", fold: func(c []float64, _ int, _ params) float64 {
		sum := 0.0
		for _, v := range c {
			sum += v
		}
		return sum
	}},
	{Name: "Maximum", Doc: "greatest of the children, never below 0", fold: func(c []float64, _ int, _ params) float64 {
		best := 0.0
		for _, v := range c {
			best = max(best, v)
		}
		return best
	}},
}
