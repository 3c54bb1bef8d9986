package frameworks

// The time of an iteration of a balanced master/worker program, and the best number of workers (thesis III.3).

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"pview/insight/frameworks/role"
)

// Farm is a master with workers, in numbers independent of the number of workers.
type Farm struct {
	Link
	// Volume is the bytes of an iteration, both directions, of which Given (alpha, 0..1) go to the workers; each worker
	// adds VolumePerWorker bytes to it (data that everyone gets).
	Volume, VolumePerWorker float64
	Given                   float64
	// Compute is the computation of an iteration, summed over the workers (Tc); each worker adds ComputePerWorker to
	// it.
	Compute, ComputePerWorker float64
	// Master is the time that the master needs to prepare the next tasks.
	Master float64
	// Tasks is the number of tasks of an iteration: more workers than tasks have no work. 0: not known.
	Tasks int
}

// Regime is the form of the iteration time.
type Regime uint8

// The regimes.
const (
	Startup  Regime = iota // (7): start-up of messages outweighs their transfer
	Transfer               // (8): transfers of the sends follow each other
	Waiting                // (9): synchronous sends
)

// String names the equation.
func (r Regime) String() string {
	return [...]string{"start-up bound (7)", "transfer bound (8)", "synchronous (9)"}[r]
}

// At returns the volume and computation with n workers.
func (f *Farm) At(n int) (volume, compute float64) {
	return f.Volume + f.VolumePerWorker*float64(n), f.Compute + f.ComputePerWorker*float64(n)
}

// regime returns the form that applies to n workers. At the boundary both forms of asynchronous sends agree.
func (f *Farm) regime(n int) Regime {
	v, _ := f.At(n)
	switch {
	case f.Protocol == role.Sync:
		return Waiting
	case f.M0 >= f.PerByte*f.Given*v/float64(n):
		return Startup
	}
	return Transfer
}

// timeIn returns the time of an iteration with n workers in a regime, whether or not it applies: (7), (8), (9).
func (f *Farm) timeIn(r Regime, n int) float64 {
	x := float64(n)
	v, c := f.At(n)
	lv := f.PerByte * v
	switch r {
	case Startup:
		return (x+1)*f.M0 + (c+lv)/x + f.Master
	case Transfer:
		return 2*f.M0 + (((x-1)*f.Given+1)*lv+c)/x + f.Master
	}
	return (x+1)*f.M0 + (((x-1)*f.Given+1)*lv+c)/x + f.Master
}

// Time returns the time of an iteration with n workers.
func (f *Farm) Time(n int) float64 { return f.timeIn(f.regime(n), n) }

// Index returns the performance index (17), Pi = n*Tt^2/Tc: time over efficiency. It is minimal at the number of
// workers that are worth their processors. NaN without computation.
func (f *Farm) Index(n int) float64 {
	_, c := f.At(n)
	if c <= 0 {
		return math.NaN()
	}
	t := f.Time(n)
	return float64(n) * t * t / c
}

// efficiency is Tc/(n*Tt).
func (f *Farm) efficiency(n int) float64 {
	_, c := f.At(n)
	return c / (float64(n) * f.Time(n))
}

// limit returns the master's chunk managing capability with the volume and computation of n workers: the number of
// workers that it can feed before the first answer is ready, (10), (11) or (12). +Inf if there is no limit. Beyond the
// limit the model's times are not valid.
func (f *Farm) limit(n int) float64 { return f.limitIn(f.regime(n), n) }

func (f *Farm) limitIn(r Regime, n int) float64 {
	v, c := f.At(n)
	lv := f.PerByte * v
	switch r {
	case Startup:
		if f.M0 == 0 {
			return math.Inf(1)
		}
		return math.Sqrt(f.M0*f.M0+f.M0*((1-f.Given)*lv+c))/f.M0 + 1
	case Transfer:
		if f.Given*lv <= f.M0 {
			return math.Inf(1)
		}
		return (lv + c) / (f.Given*lv - f.M0)
	}
	if f.M0 == 0 {
		if f.Given*lv == 0 {
			return math.Inf(1)
		}
		return (lv + c) / (f.Given * lv) // the limit of (12) for a start-up that costs nothing
	}
	d := f.Given*lv - 2*f.M0
	return (-d + math.Sqrt(d*d+4*f.M0*(lv+c))) / (2 * f.M0)
}

// feeds says whether the master can feed n workers.
func (f *Farm) feeds(n int) bool {
	l := f.limit(n)
	return math.IsInf(l, 1) || n <= floorTo(l)
}

// maxWorkers limits the search for the best number of workers.
const maxWorkers = 10_000

// bound returns the largest number of workers considered.
func (f *Farm) bound(most int) int {
	if most <= 0 {
		most = maxWorkers
	}
	if f.Tasks > 0 {
		most = min(most, f.Tasks)
	}
	return max(most, 1)
}

// best returns the number of workers, up to most (0: maxWorkers), with the least value of a function; fed leaves out
// those that the master cannot feed. One worker is always considered.
func (f *Farm) best(value func(n int) float64, most int, fed bool) int {
	best, least := 1, value(1)
	for n := 2; n <= f.bound(most); n++ {
		if fed && !f.feeds(n) {
			continue
		}
		if v := value(n); v < least || math.IsNaN(least) {
			best, least = n, v
		}
	}
	return best
}

// fastest returns the number of workers with the least time, worth the number with the least index, both among the
// numbers that the master can feed.
func (f *Farm) fastest(most int) int { return f.best(f.Time, most, true) }

// worth returns the recommended number of workers: see fastest.
func (f *Farm) worth(most int) int { return f.best(f.Index, most, true) }

// Measured is a measured iteration: what each worker got, returned and computed, in the order in which the master
// served them.
type Measured struct {
	Given, Returned []float64 // bytes
	Compute         []float64
	Master          float64
}

// Time returns the time of the measured iteration by the general form Tt = S + C + R + mu_m: (4), (5), (6).
func (m *Measured) Time(l Link) float64 { return m.timeIn(m.regime(l), l) }

// regime returns the form that applies: (4) only when the start-up outweighs the largest transfer.
func (m *Measured) regime(l Link) Regime {
	switch {
	case l.Protocol == role.Sync:
		return Waiting
	case l.M0 >= l.PerByte*largest(m.Given):
		return Startup
	}
	return Transfer
}

func (m *Measured) timeIn(r Regime, l Link) float64 {
	n := len(m.Compute)
	if n == 0 {
		return m.Master
	}
	given := 0.0
	for _, v := range m.Given {
		given += v
	}
	send := 0.0
	switch r {
	case Startup:
		send = float64(n)*l.M0 + l.PerByte*m.Given[n-1]
	case Transfer:
		send = l.M0 + l.PerByte*given
	case Waiting:
		send = float64(n)*l.M0 + l.PerByte*given
	}
	return send + m.Compute[n-1] + l.cost(m.Returned[n-1]) + m.Master
}

func largest(list []float64) float64 {
	most := math.Inf(-1)
	for _, v := range list {
		most = max(most, v)
	}
	return most
}

// idle returns the quality of a distribution: 1 - mean(compute)/time. 0 is perfect, near 1 the workers are idle.
func (m *Measured) idle(time float64) float64 { return 1 - mean(m.Compute)/time }

// balance is mean(compute)/max(compute).
func (m *Measured) balance() float64 {
	if most := largest(m.Compute); most > 0 {
		return mean(m.Compute) / most
	}
	return 1
}

func mean(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	return stat.Mean(list, nil)
}

// hardness returns the prediction of how hard n workers are to balance: 1/(1+(mu/sigma)*sqrt(2/n)), 0 for identical
// tasks. It is conservative. (Chapter V prints a further square root; this is the form of the derivation in chapter
// III.)
func hardness(mu, sigma float64, n int) float64 {
	if sigma <= 0 {
		return 0
	}
	return 1 / (1 + mu/sigma*math.Sqrt(2/float64(n)))
}
