package cause

import "math"

// Sums are the sums of some stretches. Instructions and Cycles are 0 without counters.
type Sums struct {
	Executions                 float64
	Time, Instructions, Cycles float64
}

// Add adds a stretch.
func (s *Sums) Add(x *Stretch) {
	s.Executions++
	s.Time += float64(x.Length())
	s.Instructions += x.Instructions
	s.Cycles += x.Cycles
}

// Scaled divides the sums by their number of threads.
func (s Sums) Scaled(n int) Sums {
	f := 1 / float64(max(n, 1))
	return Sums{s.Executions * f, s.Time * f, s.Instructions * f, s.Cycles * f}
}

// IPC returns the number of instructions per cycle; 0 without counters.
func (s *Sums) IPC() float64 { return ratioOf(s.Instructions, s.Cycles) }

func ratioOf(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Parts divide a difference of time exactly: their sum is the difference. They follow from
//
//	t = executions x instructions/executions x cycles/instructions x time/cycles
//
// by logarithmic means (the logarithmic mean Divisia index; Ang, Energy Policy 32, 2004), which leave no remainder.
// Without counters everything except the executions is Other.
type Parts struct{ Executions, Instructions, IPC, Clock, Other float64 }

// Divide divides the extra time of a over b.
func Divide(a, b Sums) (p Parts) {
	whole := a.Time - b.Time
	if a.Time <= 0 || b.Time <= 0 || a.Executions <= 0 || b.Executions <= 0 {
		p.Executions = whole
		return p
	}
	mean := LogMean(a.Time, b.Time)
	p.Executions = mean * math.Log(a.Executions/b.Executions)
	if a.Instructions <= 0 || b.Instructions <= 0 || a.Cycles <= 0 || b.Cycles <= 0 {
		p.Other = whole - p.Executions
		return p
	}
	p.Instructions = mean * math.Log(a.Instructions/a.Executions/(b.Instructions/b.Executions))
	p.IPC = mean * math.Log(b.IPC()/a.IPC())
	p.Clock = whole - p.Executions - p.Instructions - p.IPC
	return p
}

// LogMean returns the logarithmic mean of two times, both > 0: a factor that goes from x to y has the part
// LogMean(a, b) log(y/x) in the difference of products a - b.
func LogMean(a, b float64) float64 {
	if a == b {
		return a
	}
	return (a - b) / math.Log(a/b)
}
