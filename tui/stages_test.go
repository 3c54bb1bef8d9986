package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
)

// The stages of a run: task 1 computes for 90 of 100 us, task 2 waits for it from 10 to 92 us. In stages of 2 us task 1
// is busy in each of the first, and task 2 in the first five.
func TestStages(t *testing.T) {
	d := onTrace(t, 100, 36, lateSender)
	d.press("B", "t")
	d.sees("Over time", "Busy · 50 stages of 2 us", "Stage 1, 0 .. 2.000 us: 100 %")
	d.press("tab")
	d.sees("1.2.1              thread") // below the columns
	d.press("tab")
	d.sees("1.1.1 +", "1.2.1 ") // beside the cells
	d.press("right", "right", "right", "right", "right", "down")
	d.sees("Stage 6, 10.000 .. 12.000 us: 50.0 %", "; 1.2.1 0 %")
	d.press("tab")
	d.sees("ring", "Space plays")
	d.press("o", "o", "o")
	d.sees("3-D mesh")
	d.press("-")
	d.sees("25 stages of 4 us", "Stage 3, 8.000 .. 12.000 us: 75.0 %") // task 1 all of it, task 2 until 10 us
	d.press("v", "v")
	d.sees("Idle", "Stage 3, 8.000 .. 12.000 us: 25.0 %")
	v := d.m.Focused()
	d.press("enter")
	if v.Begin > 8000 || v.End < 12000 || v.End > 13000 || v.CursorRow != 1 {
		t.Errorf("the window shows %d to %d, row %d", v.Begin, v.End, v.CursorRow)
	}
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		for range stagePages {
			d.press("tab")
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
	d.press("esc", "esc")
	d.misses("5 stages")
	before := v.Begin
	d.press("right") // no longer about the stages
	if v.Begin == before {
		t.Error("the key of the stages is taken from the window")
	}
}

// stagePages is the number of views of the stages.
const stagePages = 4

// Check 44: processor 1 waits in a stage and is all red, processor 0 computes and is all blue; playing shows the stages
// one by one.
func TestStagesAnimation(t *testing.T) {
	d := onTrace(t, 80, 30, lateSender)
	d.press("B", "t", "tab", "tab", "tab")
	for range 20 {
		d.press("right")
	}
	d.sees("Stage 21, 40.000 .. 42.000 us")
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
	d.sees("Stage 22, 42.000 .. 44.000 us")
	d.press("space")
	d.sees("Space plays")
}

// A session keeps the stages: page, attribute, length, selection, and arrangement.
func TestStagesInSession(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "run.prv")
	if err := os.WriteFile(trace, []byte(lateSender), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 100, 36, Options{Paths: []string{trace}})
	d.press("B", "t", "tab", "tab", "tab", "o", "o", "v", "-", "right", "right", "down")
	d.sees("mesh", "25 stages of 4 us", "Stage 3, 8.000 .. 12.000 us")
	screen := func() string { // except the keys: a session does not know whether a pane has the focus
		lines := d.screen()
		return strings.Join(lines[:len(lines)-1], "\n")
	}
	before := screen()
	path := filepath.Join(dir, "run"+SessionExt)
	d.command("save-session " + path)
	d.press("t")
	d.misses("25 stages")
	d.command("load-session " + path)
	d.sees("mesh", "25 stages of 4 us", "Stage 3, 8.000 .. 12.000 us")
	if after := screen(); after != before {
		t.Errorf("the screen was\n%s\nand is\n%s", before, after)
	}
	d.press("B", "V") // the attribute before the one that was saved
	d.sees("Busy · 25 stages", "mesh")
}

// On a large screen threads take several lines: eight each on the heat map, and as cells of the animation. A click goes
// to the thread at that place.
func TestStagesGrow(t *testing.T) {
	d := onTrace(t, 200, 60, lateSender)
	// blue counts the lines with the colour of a busy thread; one of them belongs to the legend.
	blue := func() (lines int) {
		for line := range strings.Lines(d.styled()) {
			if strings.Contains(line, "48;2;40;80;220") {
				lines++
			}
		}
		return lines
	}
	d.press("B", "t", "tab", "tab")
	if n := blue(); n != 2*8+1 {
		t.Errorf("threads 1 and 2 are busy in %d lines", n)
	}
	for y, line := range d.screen() { // the name is in the middle of the eight lines
		if x := strings.Index(line, "1.2.1   "); x >= 0 && x < 12 && strings.TrimSpace(line[:x]) == "" {
			d.click(x+10, y+4, tea.MouseLeft)
		}
	}
	d.sees("; 1.2.1 100 %")
	d.press("tab")
	if n := blue(); n != 2*7+1 { // with a gap below each
		t.Errorf("the cells of the animation have %d lines", n)
	}
}
