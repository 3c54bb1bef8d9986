package device

// Steps: the iterations that the program or its framework marks on host threads.

import (
	"regexp"
	"slices"
	"strconv"

	"pview/prv"
)

// Step is an iteration of a thread.
type Step struct {
	Number     int64
	Begin, End int64
}

// Steps finds the steps of a trace.
type Steps struct {
	duration int64
	// numbers are the numbers of the steps that begin, by type and value; nil: the trace has events of iterations.
	numbers map[uint32]map[int64]int64
}

// IterationLabel is the label of the type Iteration in the traces of pview's readers.
const IterationLabel = "Iteration"

// stepName is the name of an annotation around a step.
var stepName = regexp.MustCompile(`^(?i:step|iteration|iter)[ #_:]*(\d{1,9})$`)

// StepsOf returns the steps that a trace marks: by events of iterations, else by annotations such as "step 3"; nil if
// there are none.
func StepsOf(t *prv.Trace) *Steps {
	s := &Steps{duration: t.Duration}
	if own, ok := t.Labels.Type(Iteration); ok && own.Label == IterationLabel && hasIterations(t) {
		return s
	}
	s.numbers = map[uint32]map[int64]int64{}
	for typ := uint32(Annotation); typ <= LastAnnotation; typ++ {
		own, ok := t.Labels.Type(typ)
		if !ok {
			continue
		}
		for _, v := range own.Values {
			if m := stepName.FindStringSubmatch(v.Label); m != nil {
				n, _ := strconv.ParseInt(m[1], 10, 64)
				if s.numbers[typ] == nil {
					s.numbers[typ] = map[int64]int64{}
				}
				s.numbers[typ][v.Value] = n
			}
		}
	}
	if len(s.numbers) == 0 {
		return nil
	}
	return s
}

// hasIterations reports whether a trace has events of iterations: readers name their type even if it has none.
func hasIterations(t *prv.Trace) bool {
	for i := range t.Threads {
		if slices.Contains(t.Threads[i].Events.Type, Iteration) {
			return true
		}
	}
	return false
}

// Of lists the steps in a thread's events, in the order in which they begin.
func (s *Steps) Of(e *prv.Events) (list []Step) {
	if s.numbers == nil {
		return s.iterations(e)
	}
	open := map[uint32][]int{} // by type: positions in list, -1 for other annotations
	for i, typ := range e.Type {
		numbers := s.numbers[typ]
		if numbers == nil {
			continue
		}
		stack := open[typ]
		if e.Value.At(i) != 0 {
			at := -1
			if n, ok := numbers[e.Value.At(i)]; ok {
				at = len(list)
				list = append(list, Step{n, e.Time[i], s.duration})
			}
			open[typ] = append(stack, at)
			continue
		}
		if n := len(stack) - 1; n >= 0 {
			if stack[n] >= 0 {
				list[stack[n]].End = e.Time[i]
			}
			open[typ] = stack[:n]
		}
	}
	return list
}

// iterations lists the steps that events of iterations mark: the value is the number + 1; 0 ends the last step.
func (s *Steps) iterations(e *prv.Events) (list []Step) {
	open := false
	for i, typ := range e.Type {
		if typ != Iteration {
			continue
		}
		if open {
			list[len(list)-1].End = e.Time[i]
		}
		if open = e.Value.At(i) > 0; open {
			list = append(list, Step{e.Value.At(i) - 1, e.Time[i], s.duration})
		}
	}
	return list
}
