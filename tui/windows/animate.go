package windows

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/desk"
	"pview/tui/pane"
)

// Animation moves views automatically, forward or backward, to the ends of the run.
type Animation struct {
	*desk.Desk
	sc      *pane.Scene
	dir     int     // 1 forward, -1 backward, 0 stopped
	speed   float64 // widths of the view per second
	all     bool    // all windows, not only the one in focus and its group
	gen     int
	windows []int           // ids of the windows that move; their groups move with them
	rest    map[int]float64 // fraction of a time unit not yet moved, by window
}

// NewAnimation returns the stopped animation of a desk.
func NewAnimation(d *desk.Desk, sc *pane.Scene) *Animation {
	return &Animation{Desk: d, sc: sc, rest: map[int]float64{}}
}

const (
	framesPerSecond = 20
	usualSpeed      = 0.25
	topSpeed        = 16
)

// Actions returns the actions that animate.
func (a *Animation) Actions() []action.Action {
	return action.OfView(action.GroupWindows, []action.Action{
		action.Action{Name: "play", Keys: []string{">"}, Args: "[SPEED] [all]",
			Doc: "animate forwards; again: faster; Esc stops",
			Run: a.play(1)}.With(
			action.Action{Name: "back", Keys: []string{"<"}, Args: "[SPEED] [all]",
				Doc: "animate backwards; again: faster",
				Run: a.play(-1)},
			action.Action{Name: "every", Keys: []string{"A"},
				Doc: "animate all windows, or only this one and its group",
				Run: a.toggleAll},
		),
	})
}

func (a *Animation) play(dir int) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		speed, running := usualSpeed, a.dir == dir
		if running {
			speed = min(a.speed*2, topSpeed)
		}
		for _, word := range strings.Fields(args) {
			if word == "all" {
				a.all = true
				continue
			}
			v, err := strconv.ParseFloat(word, 64)
			if err != nil || !(v > 0) || v > topSpeed {
				return a.sc.Refuse(fmt.Errorf("%q: speed must be in view widths per second, up to %d", word, topSpeed))
			}
			speed = v
		}
		a.dir, a.speed, a.windows = dir, speed, a.moving()
		if running {
			return nil
		}
		a.gen = a.sc.NextGen()
		return a.nextFrame()
	}
}

func (a *Animation) nextFrame() tea.Cmd {
	gen := a.gen
	return a.sc.After(time.Second/framesPerSecond, pane.Result(func() tea.Cmd {
		if a.dir == 0 || a.gen != gen {
			return nil
		}
		return a.frame()
	}))
}

// moving lists the windows to move: one per group.
func (a *Animation) moving() (ids []int) {
	if !a.all {
		return []int{a.Focused().ID}
	}
	seen := map[int]bool{}
	for _, w := range a.Windows {
		if w.Group == 0 || !seen[w.Group] {
			seen[w.Group] = true
			ids = append(ids, w.ID)
		}
	}
	return ids
}

// frame moves the views by a frame. It stops when none can move further.
func (a *Animation) frame() tea.Cmd {
	moved := false
	for _, id := range a.windows {
		w := a.WindowByID(id)
		if w == nil {
			continue
		}
		by := a.rest[id] + float64(w.Duration())*a.speed/framesPerSecond
		whole := int64(by)
		a.rest[id] = by - float64(whole)
		before := w.Begin
		a.Change(w, "play", func(s *timeline.Setup) { s.Pan(int64(a.dir)*whole, a.Whole(w)) })
		moved = moved || w.Begin != before || whole == 0
	}
	if !moved {
		a.dir = 0
		a.sc.Say("end of the run")
		return nil
	}
	return a.nextFrame()
}

// Cancel stops the animation; it reports whether there was one.
func (a *Animation) Cancel() bool {
	if a.dir == 0 {
		return false
	}
	a.dir = 0
	a.sc.Say("the animation was stopped")
	return true
}

func (a *Animation) toggleAll(string) tea.Cmd {
	if len(a.Windows) == 1 {
		return a.sc.Refuse(errors.New("there is only one window"))
	}
	a.all = !a.all
	if a.dir != 0 {
		a.windows = a.moving()
	}
	if a.all {
		a.sc.Say("animation moves all windows")
	} else {
		a.sc.Say("animation moves this window and its group")
	}
	return nil
}

// Text describes a running animation for the title; "" for none.
func (a *Animation) Text() string {
	if a.dir == 0 {
		return ""
	}
	text := fmt.Sprintf("▶ %gx", a.speed/usualSpeed)
	if a.dir < 0 {
		text = fmt.Sprintf("◀ %gx", a.speed/usualSpeed)
	}
	if a.all {
		text += " all"
	}
	return text
}

// Running reports whether views move.
func (a *Animation) Running() bool { return a.dir != 0 }
