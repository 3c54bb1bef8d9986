package gpu

import (
	"slices"
	"testing"
)

// Hidden pieces show only in the gaps of others; if those touch, there is none.
func TestUnder(t *testing.T) {
	top := []Piece{{Begin: 10, End: 20, Use: Computing}, {Begin: 20, End: 30, Use: Computing},
		{Begin: 40, End: 50, Use: Computing}}
	under := func(more ...Piece) (list []Piece) {
		for _, p := range under(top, more) {
			if p.Use == Copying {
				list = append(list, p)
			}
		}
		return list
	}
	of := func(times ...int64) (list []Piece) {
		for i := 0; i < len(times); i += 2 {
			list = append(list, Piece{Begin: times[i], End: times[i+1], Use: Copying})
		}
		return list
	}
	for _, c := range []struct{ more, want []Piece }{
		{of(0, 60), of(0, 10, 30, 40, 50, 60)},
		{of(10, 30), nil},
		{of(15, 25), nil},
		{of(30, 40), of(30, 40)},
		{of(29, 41), of(30, 40)},
		{of(0, 10), of(0, 10)},
		{of(50, 60), of(50, 60)},
		{of(0, 12, 5, 35), of(0, 10, 5, 10, 30, 35)}, // of two streams
	} {
		if got := under(c.more...); !slices.Equal(got, c.want) {
			t.Errorf("under %v is %v, want %v", c.more, got, c.want)
		}
	}
}
