package tui

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

// memoryText reports the memory in use, by purpose, and the limit. rows are the bytes of computed rows.
func memoryText(rows int64) string {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	values := sizeText(int64(heap[0].Value.Uint64())) + " values"
	text := "memory: " + values
	if resident, mapped, ok := residentMemory(); ok {
		text = fmt.Sprintf("memory: %s in total, %s mapped files, %s", sizeText(resident), sizeText(mapped), values)
	}
	text += "; rows " + sizeText(rows)
	if limit := debug.SetMemoryLimit(-1); limit < 1<<60 { // -1 asks
		text += "; limit " + sizeText(limit)
	}
	return text
}

// residentMemory returns the bytes of the process in memory, and how many of them are pages of files, which the system
// can reclaim.
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
