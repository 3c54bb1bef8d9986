package sim

// Collective operations: their names and cost models.

import (
	"fmt"
	"math/bits"
)

// CollectiveOp is a collective operation, numbered as in Dimemas.
type CollectiveOp uint8

// OpReduce is the operation that Dimemas simulates as messages to the root.
const OpReduce CollectiveOp = 10

// Collectives are the names of the operations, by number.
var Collectives = []string{"Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
	"Alltoall",
	"Alltoallv", "Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Alltoallw"}

// CollectiveModel is the growth of the time of one stage (fan-in or fan-out) of a
// collective operation with the number of participants.
type CollectiveModel uint8

// The models, in the order of CollectiveModels. ModelDefault means the network's model.
const (
	ModelNone CollectiveModel = iota
	ModelConstant
	ModelLinear
	ModelLogarithmic
	ModelDefault
)

// CollectiveModels are the models of a stage as a communications file spells them, and the number of
// consecutive messages in the stage among p participants on a network with that many buses (0: no
// limit).
var CollectiveModels = []struct {
	Name  string
	Doc   string
	Steps func(p, buses int) float64
}{
	{"0", "no such stage", func(p, buses int) float64 { return 0 }},
	{"CTE", "one message, however many take part", func(p, buses int) float64 { return 1 }},
	{"LIN", "a message for each but one participant", func(p, buses int) float64 { return float64(p - 1) }},
	{"LOG", "a tree of messages, as many at once as there are buses", logSteps},
}

// logSteps returns the number of steps of a binary tree over p participants: phase i has a
// message for each of j = 2^i-1, 3*2^i-1, ... below p-1, at most one per bus at a time.
func logSteps(p, buses int) float64 {
	if p < 2 {
		return 0
	}
	phases := bits.Len(uint(p - 1))
	if buses <= 0 {
		return float64(phases)
	}
	steps := 0
	for i := range phases {
		first, every := 1<<i-1, 1<<(i+1)
		messages := (p - 1 - first + every - 1) / every
		steps += (messages + buses - 1) / buses
	}
	return float64(steps)
}

// CollectiveSize selects the message size of a stage.
type CollectiveSize uint8

// The sizes, in the order of CollectiveSizes.
const (
	SizeCurrent CollectiveSize = iota
	SizeMin
	SizeMax
	SizeMean
	SizeTwiceMax
	SizeSum
)

// CollectiveSizes are the sizes as a communications file spells them, computed from the
// bytes that the root sends and receives.
var CollectiveSizes = []struct {
	Name string
	Doc  string
	Size func(sent, received int32, fanOut bool) int32
}{
	{"(none)", "the bytes sent for the fan-in, the bytes received for the fan-out", func(s, r int32, out bool) int32 {
		if out {
			return r
		}
		return s
	}},
	{"MIN", "the less of sent and received", func(s, r int32, _ bool) int32 { return min(s, r) }},
	{"MAX", "the more of sent and received", func(s, r int32, _ bool) int32 { return max(s, r) }},
	{"MEAN", "half of their sum, whole bytes", func(s, r int32, _ bool) int32 { return (s + r) / 2 }},
	{"2MAX", "twice the more of them", func(s, r int32, _ bool) int32 { return 2 * max(s, r) }},
	{"S+R", "their sum", func(s, r int32, _ bool) int32 { return s + r }},
}

// Stage is the cost model of one stage of a collective operation.
type Stage struct {
	Model CollectiveModel
	Size  CollectiveSize
}

// CollectiveCost is the cost model of a collective operation: fan-in, then fan-out. The
// zero Stage costs nothing; see DefaultCosts.
type CollectiveCost struct{ FanIn, FanOut Stage }

// CollectiveCosts has a cost model for each of Collectives.
type CollectiveCosts [16]CollectiveCost

// DefaultCosts charge both stages of every operation by the model of the network,
// with the bytes sent and received.
func DefaultCosts() (c CollectiveCosts) {
	for i := range c {
		c[i] = CollectiveCost{FanIn: Stage{Model: ModelDefault}, FanOut: Stage{Model: ModelDefault}}
	}
	return c
}

// check reports an unknown model or size.
func (c *CollectiveCosts) check() error {
	for op := range c {
		for _, s := range [...]Stage{c[op].FanIn, c[op].FanOut} {
			if s.Model > ModelDefault || int(s.Size) >= len(CollectiveSizes) {
				return fmt.Errorf("%s: there is no collective model %d or size %d", Collectives[op], s.Model, s.Size)
			}
		}
	}
	return nil
}

// CostsByCall returns the models and sizes that the thesis proposes for each MPI call (table 9); MPI_Alltoallw and
// MPI_Reduce_scatter_block, which it lacks, follow similar calls.
func CostsByCall() CollectiveCosts {
	cost := func(in CollectiveModel, inSize CollectiveSize, out CollectiveModel,
		outSize CollectiveSize) CollectiveCost {
		return CollectiveCost{Stage{in, inSize}, Stage{out, outSize}}
	}
	rooted := cost(ModelLogarithmic, SizeMean, ModelNone, SizeCurrent)
	varied := cost(ModelConstant, SizeMax, ModelConstant, SizeMax)
	toAll := cost(ModelLinear, SizeMin, ModelLinear, SizeMin)
	spread := cost(ModelLogarithmic, SizeMax, ModelNone, SizeCurrent)
	twice := cost(ModelLogarithmic, SizeMax, ModelLogarithmic, SizeMax)
	scatter := cost(ModelLogarithmic, SizeMax, ModelLinear, SizeMin)
	return CollectiveCosts{
		cost(ModelLinear, SizeMax, ModelNone, SizeCurrent), // Barrier
		spread, rooted, varied, // Bcast, Gather, Gatherv
		rooted, varied, // Scatter, Scatterv
		toAll, toAll, toAll, varied, // Allgather, Allgatherv, Alltoall, Alltoallv
		spread, twice, // Reduce, Allreduce
		scatter, scatter, // Reduce_scatter, Reduce_scatter_block
		twice, varied, // Scan, Alltoallw
	}
}
