package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// errCancelled reports that the whole array was cancelled from outside.
var errCancelled = errors.New("the job array was cancelled")

const (
	// tries is the number of times a shard is submitted in a row without a new run before the array gives up.
	tries = 3
	// patience is the number of consecutive queries of the queue that may fail: a busy controller is no reason to give
	// up.
	patience = 30
)

// element is a shard that runs as an element of a job array.
type element struct {
	job    string // of its last submission; "" if none
	phase  phase
	left   int // runs left
	before int // runs left when it was submitted
	vain   int // consecutive submissions without a new run
	ended  int // queries of the queue since its end: its last output may arrive late over a network
}

// over reports whether the element has ended with runs missing. A cancelled element gets more time: the elements of a
// cancelled array do not all end at the same time.
func (e *element) over() bool {
	looks := 2
	if e.phase == cancelled {
		looks = 6
	}
	return e.left > 0 && e.ended >= looks
}

// session is a running array.
type session struct {
	*Array
	elements    []element
	jobs        []string
	resubmitted int
	silent      int // consecutive failed queries of the queue
}

// Run submits the array and waits until no runs remain. Complete shards are not submitted. On an error, and when ctx
// ends, queued elements are cancelled.
func (a *Array) Run(ctx context.Context) (err error) {
	s := &session{Array: a, elements: make([]element, a.Shards)}
	if a.call == nil {
		a.call = process
	}
	if a.Every == 0 {
		a.Every = 2 * time.Second
	}
	if err := s.read(); err != nil {
		return err
	}
	if err := s.submitWhere(ctx, func(e *element) bool { return e.left > 0 }); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.cancel(ctx)
		}
	}()
	for {
		if s.status().Left == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(a.Every):
		}
		if err := s.look(ctx); err != nil {
			return err
		}
	}
}

// read updates the number of runs that shards lack.
func (s *session) read() error {
	left, err := s.Left()
	if err != nil {
		return err
	}
	for i := range s.elements {
		s.elements[i].left = left[i]
	}
	return nil
}

// submitWhere submits the shards that meet a condition.
func (s *session) submitWhere(ctx context.Context, wanted func(e *element) bool) error {
	var list []int
	for i := range s.elements {
		if wanted(&s.elements[i]) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil
	}
	job, err := s.submit(ctx, list)
	if err != nil {
		return err
	}
	s.jobs = append(s.jobs, job)
	for _, i := range list {
		e := &s.elements[i]
		e.job, e.phase, e.ended, e.before = job, pending, 0, e.left
	}
	return nil
}

// look reads the queue, then the stores: elements that have ended by then have written everything. It resubmits lost
// elements.
func (s *session) look(ctx context.Context) error {
	if err := s.ask(ctx); err != nil {
		if s.silent++; s.silent >= patience || ctx.Err() != nil {
			return err
		}
		return nil
	}
	s.silent = 0
	if err := s.read(); err != nil {
		return err
	}
	if s.cancelledByUser() {
		return errCancelled
	}
	for i := range s.elements {
		if e := &s.elements[i]; e.over() {
			if err := s.lose(i); err != nil {
				return err
			}
		}
	}
	if err := s.submitWhere(ctx, (*element).over); err != nil {
		return err
	}
	if s.Progress != nil {
		s.Progress(s.status())
	}
	return nil
}

// ask queries the queue for the phases of all elements that have not ended. One that was never submitted, since its
// store was complete, is gone.
func (s *session) ask(ctx context.Context) error {
	known := map[string]map[int]phase{"": nil}
	for i := range s.elements {
		e := &s.elements[i]
		if e.left == 0 {
			continue
		}
		if _, asked := known[e.job]; !asked {
			list, err := s.queue(ctx, e.job)
			if err != nil {
				return err
			}
			known[e.job] = list
		}
		e.phase = known[e.job][i]
		if e.phase == gone || e.phase == cancelled {
			e.ended++
		}
	}
	return nil
}

// cancelledByUser reports whether every element that lacks runs was cancelled. If others continue, a cancelled one
// counts as lost.
func (s *session) cancelledByUser() bool {
	some := false
	for i := range s.elements {
		e := &s.elements[i]
		if e.left > 0 && (e.phase != cancelled || e.ended < 2) {
			return false
		}
		some = some || e.left > 0
	}
	return some
}

// lose counts a lost element. One that is lost repeatedly without a new run becomes an error with its reason.
func (s *session) lose(i int) error {
	e := &s.elements[i]
	if e.vain++; e.left < e.before {
		e.vain = 0
	}
	if e.vain >= tries {
		return fmt.Errorf("shard %d of %d ended %d times without a run: %s", i, s.Shards, tries, s.lastLine(i))
	}
	s.resubmitted++
	return nil
}

// lastLine returns the last line printed by an element.
func (s *session) lastLine(i int) string {
	text, err := os.ReadFile(s.output(i))
	if err != nil {
		return "it printed nothing"
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return "it printed nothing"
}

// status counts the elements.
func (s *session) status() Status {
	st := Status{Resubmitted: s.resubmitted}
	for i := range s.elements {
		e := &s.elements[i]
		st.Left += e.left
		switch {
		case e.left == 0:
			st.Done++
		case e.phase == running:
			st.Running++
		default:
			st.Pending++
		}
	}
	return st
}

// cancel removes queued elements, even after ctx has ended.
func (s *session) cancel(ctx context.Context) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer stop()
	_, _ = s.call(ctx, "scancel", s.jobs...) // a failure cannot be handled
}
