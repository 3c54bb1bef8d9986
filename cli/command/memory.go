package command

// The memory that pview may use: --memory, or a fair share of the memory available by the machine, the process's cgroup
// (a batch job has one) and ulimit.

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"

	"pview/prv/quantity"
)

// A login node is shared: by default pview takes half of the available memory, and no more than it needs to be fast.
// The rest is in mapped files, which the system may write out.
const (
	memoryShare = 2
	mostMemory  = 16 << 30
	leastMemory = 64 << 20
)

// SeriesShare is the divisor of the memory for the cache of computed rows.
const SeriesShare = 8

// HistogramShare is the divisor of the memory for a histogram.
const HistogramShare = 4

// setMemory reads --memory and sets the limit of Go's garbage collector.
func (a *App) setMemory() error {
	there := memoryThere(os.DirFS("/"))
	a.MemoryBytes = max(leastMemory, min(there/memoryShare, mostMemory))
	if a.Memory != "" {
		n, err := SizeOf(a.Memory, there)
		if err != nil || n < leastMemory {
			return Usagef(
				"--memory %s: must be a size >= 64M, such as 800M or 4G, or a percentage of the available memory, "+
					"such as 25%%", a.Memory)
		}
		a.MemoryBytes = n
	}
	if _, own := os.LookupEnv("GOMEMLIMIT"); !own || a.Memory != "" {
		debug.SetMemoryLimit(a.MemoryBytes)
	}
	return nil
}

// SizeOf reads a size such as 800M, 4GB or 1.5GiB, or a percentage of a whole: 25%.
func SizeOf(text string, whole int64) (int64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	kind := quantity.Bytes
	if percent {
		kind = quantity.Number
	}
	v, err := kind.Parse(number, 1)
	if err != nil {
		return 0, err
	}
	if percent {
		v *= float64(whole) / 100
	}
	return int64(v), nil
}

// memoryThere returns the memory that a process can use: the machine's available memory, within the limits of its
// cgroups and ulimit; 8 GB if unknown.
func memoryThere(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	for _, n := range []int64{machineMemory(root), cgroupMemory(root), limitedMemory(root)} {
		if n > 0 {
			least = min(least, n)
		}
	}
	if least == math.MaxInt64 {
		return 8 << 30
	}
	return least
}

// machineMemory returns the available memory by /proc/meminfo.
func machineMemory(root fs.FS) int64 {
	text, _ := fs.ReadFile(root, "proc/meminfo") // none: not Linux
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			return 1 << 10 * number(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
		}
	}
	return 0
}

// limitedMemory returns the smallest limit set by ulimit -d, -m and -v.
func limitedMemory(root fs.FS) (least int64) {
	text, _ := fs.ReadFile(root, "proc/self/limits")
	for line := range strings.Lines(string(text)) {
		for _, name := range []string{"Max data size", "Max resident set", "Max address space"} {
			if rest, ok := strings.CutPrefix(line, name); ok {
				if f := strings.Fields(rest); len(f) > 0 {
					least = lesser(least, number(f[0]))
				}
			}
		}
	}
	return least
}

// cgroupMemory returns the smallest limit of the process's cgroups, version 1 or 2; a limit also applies to nested
// groups.
func cgroupMemory(root fs.FS) (least int64) {
	text, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 {
			continue
		}
		mount, file := "sys/fs/cgroup", "memory.max"
		switch {
		case f[1] == "" && f[0] == "0":
		case strings.Contains(","+f[1]+",", ",memory,"):
			mount, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for group := path.Join("/", f[2]); ; group = path.Dir(group) {
			limit, _ := fs.ReadFile(root, path.Join(mount, group, file))
			least = lesser(least, number(strings.TrimSpace(string(limit))))
			if group == "/" {
				break
			}
		}
	}
	return least
}

// lesser returns the smaller of two limits, where 0 means none.
func lesser(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// number reads a number; anything else ("max", "unlimited"), or a limit too high to matter, is 0.
func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > 1<<60 {
		return 0
	}
	return n
}
