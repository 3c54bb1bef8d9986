package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pview/render/timeline"

	tea "charm.land/bubbletea/v2"
)

// Animation: views that move by themselves, forward or backward, and stop at the
// ends of the run.

// animation is what moves, and how.
type animation struct {
	dir     int     // 1 forward, -1 backward, 0 not at all
	speed   float64 // widths of the view per second
	all     bool    // all windows, not only the one in focus and its group
	gen     int
	windows []int           // ids of those that move; their groups move with them
	rest    map[int]float64 // part of a unit of time not yet moved, by window
}

const (
	framesPerSecond = 20
	usualSpeed      = 0.25
	topSpeed        = 16
)

type frameMsg struct{ gen int }

func nextFrame(m *Model) tea.Cmd {
	return m.after(time.Second/framesPerSecond, frameMsg{m.anim.gen})
}

func play(dir int) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		a := &m.anim
		speed := usualSpeed
		if a.dir == dir {
			speed = min(a.speed*2, topSpeed)
		}
		for _, word := range strings.Fields(args) {
			if word == "all" {
				a.all = true
				continue
			}
			v, err := strconv.ParseFloat(word, 64)
			if err != nil || !(v > 0) || v > topSpeed {
				return m.scene.Refuse(fmt.Errorf("%q: speed must be in view widths per second, up to %d", word, topSpeed))
			}
			speed = v
		}
		running := a.dir == dir
		a.dir, a.speed, a.windows = dir, speed, m.animated()
		if a.rest == nil {
			a.rest = map[int]float64{}
		}
		if running {
			return nil
		}
		m.gen++
		a.gen = m.gen
		return nextFrame(m)
	}
}

// animated lists the windows to move: one per group.
func (m *Model) animated() []int {
	if !m.anim.all {
		return []int{m.Focused().ID}
	}
	var ids []int
	seen := map[int]bool{}
	for _, w := range m.Windows {
		if w.Group == 0 || !seen[w.Group] {
			seen[w.Group] = true
			ids = append(ids, w.ID)
		}
	}
	return ids
}

// animate moves on by a frame. When nothing can move any more it ends.
func animate(m *Model, msg frameMsg) tea.Cmd {
	a := &m.anim
	if a.dir == 0 || a.gen != msg.gen {
		return nil
	}
	moved := false
	for _, id := range a.windows {
		w := m.WindowByID(id)
		if w == nil {
			continue
		}
		by := a.rest[id] + float64(w.Duration())*a.speed/framesPerSecond
		whole := int64(by)
		a.rest[id] = by - float64(whole)
		before := w.Begin
		m.Change(w, "play", func(s *timeline.Setup) { s.Pan(int64(a.dir)*whole, m.Whole(w)) })
		moved = moved || w.Begin != before || whole == 0
	}
	if !moved {
		stopAnimation(m)
		m.scene.Say("end of the run")
		return nil
	}
	return nextFrame(m)
}

func stopAnimation(m *Model) bool {
	if m.anim.dir == 0 {
		return false
	}
	m.anim.dir = 0
	return true
}

func playAll(m *Model, _ string) tea.Cmd {
	if len(m.Windows) == 1 {
		return m.scene.Refuse(errors.New("there is only one window"))
	}
	m.anim.all = !m.anim.all
	if m.anim.dir != 0 {
		m.anim.windows = m.animated()
	}
	if m.anim.all {
		m.scene.Say("animation moves all windows")
	} else {
		m.scene.Say("animation moves this window and its group")
	}
	return nil
}

func (a *animation) text() string {
	arrow := "▶"
	if a.dir < 0 {
		arrow = "◀"
	}
	text := fmt.Sprintf("%s %gx", arrow, a.speed/usualSpeed)
	if a.all {
		text += " all"
	}
	return text
}
