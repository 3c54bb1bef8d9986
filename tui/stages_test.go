package tui

import (
	"strings"
	"testing"

	"pview/tui/raster"
)

// The stages of a run: task 1 computes for 90 of 100 us, task 2 waits for it from 10 to 92 us. In stages of 2 us task 1 is busy in each of the first,
// and task 2 in the first five.
func TestStages(t *testing.T) {
	d := onTrace(t, 100, 36, lateSender)
	d.press("B", "t")
	d.sees("Over time", "Busy · 50 stages of 2 us", "Stage 1 from 0 ns: 100.0 %")
	d.press("]", "]")
	d.press("right", "right", "right", "right", "right", "down")
	d.sees("Stage 6 from 10 us: 50.0 %", "THREAD 1.2.1 0.0 %")
	d.press("]")
	d.sees("ring", "Space plays")
	d.press("o", "o", "o")
	d.sees("3-D mesh")
	d.press("-")
	d.sees("25 stages of 4 us", "Stage 3 from 8 us: 75.0 %") // task 1 all of it, task 2 until 10 us
	d.press("a", "a")
	d.sees("Idle", "Stage 3 from 8 us: 25.0 %")
	v := d.m.Focused()
	d.press("enter")
	if v.Begin > 8000 || v.End < 12000 || v.End > 13000 || v.CursorRow != 1 {
		t.Errorf("the window shows %d to %d, row %d", v.Begin, v.End, v.CursorRow)
	}
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		for range stagePages {
			d.press("]")
			d.checkSize(size[0], size[1], "the stages")
		}
	}
	d.press("T")
	d.typed("20us")
	d.press("enter")
	d.sees("5 stages of 20 us")
	d.press("O")
	d.typed("1x1x1")
	d.press("enter")
	d.sees("has no room for 2 threads")
	d.press("esc")
	d.misses("Over time")
	before := v.Begin
	d.press("right") // not of the stages any more
	if v.Begin == before {
		t.Error("the key of the stages is taken from the window")
	}
}

// stagePages is the number of views of the stages.
const stagePages = 4

// Check 44: processor 1 waits in a stage and is all red, processor 0 computes and is all blue; playing shows one stage after the other.
func TestStagesAnimation(t *testing.T) {
	d := onTrace(t, 80, 30, lateSender)
	d.press("B", "t", "]", "]", "]")
	for range 20 {
		d.press("right")
	}
	d.sees("Stage 21 from 40 us")
	colours := map[raster.Color]bool{}
	for _, line := range strings.Split(d.styled(), "\n") {
		if strings.Contains(line, "48;2;200;40;40") {
			colours[raster.RGB(200, 40, 40)] = true
		}
		if strings.Contains(line, "48;2;40;80;220") {
			colours[raster.RGB(40, 80, 220)] = true
		}
	}
	if len(colours) != 2 {
		t.Errorf("the cells have the colours %v", colours)
	}
	d.press("space")
	d.sees("4 stages a second")
	d.press(">")
	d.sees("8 stages a second")
	d.fire()
	d.sees("Stage 22 from 42 us")
	d.press("space")
	d.sees("Space plays")
}
