package command

import (
	"testing"
	"testing/fstest"
)

func TestSizeOf(t *testing.T) {
	for text, want := range map[string]int64{"1000": 1000, "2K": 2048, "1.5GiB": 3 << 29, "4g": 4 << 30, "25%": 50,
		"800 MB": 800e6, "800 MiB": 800 << 20, "800M": 800 << 20, "0": 0} {
		if got, err := SizeOf(text, 200); got != want || err != nil {
			t.Errorf("%s is %d, %v, and not %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "G", "-1G", "4X", "1e300", "12%G", "nan"} {
		if got, err := SizeOf(text, 200); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// The lowest of all limits counts: of the machine, of each cgroup on the way up, and of ulimit.
func TestMemoryThere(t *testing.T) {
	machine := func(more map[string]string) fstest.MapFS {
		m := fstest.MapFS{"proc/meminfo": {Data: []byte("MemTotal: 9000 kB\nMemAvailable:    8000 kB\n")}}
		for name, text := range more {
			m[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return m
	}
	for _, c := range []struct {
		what string
		fs   fstest.MapFS
		want int64
	}{
		{"nothing known", fstest.MapFS{}, 8 << 30},
		{"machine", machine(nil), 8000 << 10},
		{"cgroup v2, limit of the parent", machine(map[string]string{
			"proc/self/cgroup": "0::/job/step\n", "sys/fs/cgroup/job/step/memory.max": "max\n",
			"sys/fs/cgroup/job/memory.max": "5000\n",
		}), 5000},
		{"cgroup v1", machine(map[string]string{
			"proc/self/cgroup": "3:cpu,cpuacct:/x\n7:memory:/slurm/uid_1\n0::/\n",
			"sys/fs/cgroup/memory/slurm/uid_1/memory.limit_in_bytes": "6000\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":             "9223372036854771712\n",
		}), 6000},
		{"ulimit -d", machine(map[string]string{
			"proc/self/limits": "Limit  Soft Limit  Hard Limit  Units\nMax data size             7000        " +
				"unlimited            bytes\n" +
				"Max resident set          unlimited            unlimited            bytes\n",
		}), 7000},
	} {
		if got := memoryThere(c.fs); got != c.want {
			t.Errorf("%s: %d, not %d", c.what, got, c.want)
		}
	}
}
