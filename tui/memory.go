package tui

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// What memory the program has, on demand. All of it is counters that are there: nothing
// is counted for it.

// tellMemory says how much memory is used, for what, and what is allowed.
func tellMemory(m *Model, _ string) tea.Cmd {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	text := fmt.Sprintf("memory: %s values", sizeText(int64(heap[0].Value.Uint64())))
	if resident, mapped, ok := residentMemory(); ok {
		text = fmt.Sprintf("memory: %s in total, %s mapped files, %s values", sizeText(resident), sizeText(mapped),
			sizeText(int64(heap[0].Value.Uint64())))
	}
	text += "; rows " + sizeText(m.cache.Bytes())
	if limit := debug.SetMemoryLimit(-1); limit < 1<<60 { // -1 asks
		text += "; limit " + sizeText(limit)
	}
	m.scene.Say(text)
	return nil
}

// residentMemory returns what the system says that the process has in memory, and how
// much of that are pages of files, which it can take back.
func residentMemory() (resident, mapped int64, ok bool) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0, false
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch name {
		case "VmRSS":
			resident = n << 10
		case "RssFile":
			mapped = n << 10
		}
	}
	return resident, mapped, resident > 0
}
