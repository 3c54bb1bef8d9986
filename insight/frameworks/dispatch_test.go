package frameworks

import (
	"fmt"
	"strings"
	"testing"

	"pview/insight/frameworks/role"
)

// Tasks of 10, 20, 30 and 5 on two workers or more. "0+2" gives chunk 2 to worker 0, "0-2" takes its answer.
func TestDispatch(t *testing.T) {
	ones := []int{1, 1, 1, 1}
	const inTurn = "0+0 1+1 0-0 0+2 1-1 1+3 1-3 0-2"
	for _, c := range []struct {
		name    string
		chunks  []int
		workers int
		s       Service
		time    float64
		order   string
	}{
		// 10 + 30, 20 + 5
		{"free", ones, 2, Service{}, 40, inTurn},
		{"prepared", ones, 2, Service{Master: 7}, 47, inTurn},
		// Given at 1 and 2, and at 12 and 23, for 30 and 5.
		{"serving", ones, 2, Service{Serving: 1}, 42, inTurn},
		// Given at 2 and 4; answers are taken at 14, when the next is given at 16, for 30, and taken in 2.
		{"start-up", ones, 2, Service{Link: ms(2, 0, role.Async), Takes: true}, 48, inTurn},
		{"start-up, not taken", ones, 2, Service{Link: ms(2, 0, role.Async)}, 48, inTurn},
		// There at 3 and 6, back 4 later: at 17 and 30. The third is there at 20, and back at 54.
		{"bytes", ones, 2, Service{Link: ms(0, 1, role.Async), Given: 3, Returned: 4}, 54, inTurn},
		{"synchronous", ones, 2, Service{Link: ms(0, 1, role.Sync), Given: 3, Returned: 4}, 54, inTurn},
		// Taken by the master in 4: the first at 17, the third is there at 20 and at 50 taken, until 54.
		{"bytes, taken", ones, 2, Service{Link: ms(0, 1, role.Async), Given: 3, Returned: 4, Takes: true}, 54, inTurn},
		{"two at a time", []int{2, 2}, 2, Service{}, 35, "0+0 1+1 0-0 1-1"},
		// 6 bytes each: there at 6 and 12.
		{"more bytes", []int{2, 2}, 2, Service{Link: ms(0, 1, role.Async), Given: 3}, 47, "0+0 1+1 0-0 1-1"},
		{"as many bytes", []int{2, 2}, 2, Service{Link: ms(0, 1, role.Async), Given: 3, Fixed: true}, 41,
			"0+0 1+1 0-0 1-1"},
		// While the second is given, until 40, the first is done. The last is given at 80.
		{"answers first", ones, 3, Service{Serving: 20}, 90, "0+0 1+1 0-0 2+2 1-1 0+3 0-3 2-2"},
		{"sends first", ones, 3, Service{Serving: 20, SendsFirst: true}, 90, "0+0 1+1 2+2 0-0 0+3 1-1 0-3 2-2"},
		{"one worker", ones, 1, Service{}, 65, "0+0 0-0 0+1 0-1 0+2 0-2 0+3 0-3"},
	} {
		d, err := dispatch([]float64{10, 20, 30, 5}, c.chunks, c.workers, c.s)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, turn := range d.Order {
			sign := "+"
			if turn.Answer {
				sign = "-"
			}
			order = append(order, fmt.Sprint(turn.Worker, sign, turn.Chunk))
		}
		near(t, c.name, d.Time, c.time)
		same(t, c.name, strings.Join(order, " "), c.order)
		same(t, c.name, d.Messages, len(c.chunks))
	}
	// Two answers of 4 at once: the second is in 4 later.
	d, err := dispatch([]float64{10, 10}, []int{1, 1}, 2, Service{Link: ms(0, 1, role.Async), Returned: 4})
	if err != nil || d.Time != 18 {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err := dispatch(nil, nil, 1, Service{Master: 3}); err != nil || d.Time != 3 || d.Messages != 0 {
		t.Errorf("without tasks: %+v, %v", d, err)
	}
	for _, c := range []struct {
		chunks  []int
		workers int
	}{{[]int{1, 2}, 2}, {[]int{1}, 2}, {[]int{1, 1}, 0}} {
		if _, err := dispatch([]float64{1, 2}, c.chunks, c.workers, Service{}); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}
