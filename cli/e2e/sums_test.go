//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// Sums over threads may exceed 63 bits, 9.2e18 ns: three threads of 4e18 ns sum to 12e18, of which 11e18 (91.67 %) are
// computing, which is 3,055,556 h, and 1e18 waiting. Two threads more compute 8e18 more: 12 of 20 are 40 % less.
func TestSumsBeyond63Bits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const end = "4000000000000000000"
	const two, records = "1:1,1:1", "1:0:1:1:1:0:" + end + ":1\n1:0:1:2:1:0:" + end + ":1\n" +
		"1:0:1:3:1:0:3000000000000000000:1\n1:0:1:3:1:3000000000000000000:" + end + ":3\n"
	write(t, dir, "long.prv", []byte("#Paraver (01/01/2026 at 00:00):"+end+"_ns:0:1:3("+two+",1:1)\n"+records))
	write(t, dir, "more.prv", []byte("#Paraver (01/01/2026 at 00:00):"+end+"_ns:0:1:5("+two+","+two+",1:1)\n"+records+
		"1:0:1:4:1:0:"+end+":1\n1:0:1:5:1:0:"+end+":1\n"))
	for _, test := range []struct {
		args   string
		status int
		want   []string
	}{
		{"info --format json", 0, []string{`"total": 11000000000000000000`}},
		{"info", 0, []string{"11000000000.000  91.7 %"}},
		{"efficiency", 0, []string{"Parallel efficiency                  91.7 %", "11000000000 s"}},
		{"diagnose", 0, []string{"3,055,556 h", "utilisation is 91.7 %",
			"recoverable at most 92592 h 35 min 33 s (8.3 %) with the same computation"}},
		{"diagnose --format json", 0, []string{`"ns": 11000000000000000000`}},
		{"compare long.prv", 0, []string{"no difference"}},
		{"compare more.prv", 0, []string{"40.0 % less core time: -40.0 % computing", "-2222222 h 13 min 20 s"}},
		{"compare --format tsv more.prv", 0, []string{
			"computing\t19000000000000000000\t11000000000000000000\t-8000000000000000000\t1\t",
			"waiting\t1000000000000000000\t1000000000000000000\t0\t0\t"}},
	} {
		got := run(t, dir, append(strings.Fields(test.args), "long.prv")...)
		for _, want := range test.want {
			if text := got.stdout + got.stderr; got.status != test.status || !strings.Contains(text, want) {
				t.Errorf("pview %s: status %d, want %d with %q:\n%s", test.args, got.status, test.status, want, text)
			}
		}
	}
}

// Two threads wait 9e18 ns, 2,500,000 h, for the third, at a barrier: 18e18 ns. Two messages have 2^63-1 bytes, and two
// bursts as many instructions: 2^64-2, which as a float64 is 2^64.
func TestAmountsBeyond63Bits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const late, end = "9000000000000001000", "9000000000000002000"
	text := "#Paraver (01/01/2026 at 00:00):" + end + "_ns:1(3):1:3(1:1,1:1,1:1),1\nc:1:1:3:1:2:3\n"
	for _, th := range []string{"1:1:1:1", "2:1:2:1", "3:1:3:1"} {
		enter, counter := "1000", ":42000050:9223372036854775807"
		if th == "3:1:3:1" {
			enter, counter = late, ""
		}
		text += "1:" + th + ":0:" + enter + ":1\n2:" + th + ":" + enter + ":50000002:8" + counter + "\n" +
			"1:" + th + ":" + enter + ":" + late + ":5\n2:" + th + ":" + late + ":50000002:0\n" +
			"1:" + th + ":" + late + ":" + end + ":1\n"
	}
	text = strings.ReplaceAll(text, "1:3:1:3:1:"+late+":"+late+":5\n", "")
	const size = ":9223372036854775807:1\n"
	text += "3:1:1:1:1:10:10:2:1:2:1:" + late + ":" + late + size + "3:1:1:1:1:20:20:2:1:2:1:" + late + ":" + late + size
	write(t, dir, "long.prv", []byte(text))
	for _, test := range []struct {
		args string
		want []string
	}{
		{"info --format json", []string{`"bytes": 18446744073709551614`}},
		{"info", []string{"2 messages, 18447 PB"}},
		{"efficiency", []string{"Useful instructions 18,446,744,073,709,551,616"}},
		{"stat --format tsv --stat Bytes?sent", []string{"THREAD 1.1.1 THREAD 1.2.1 18446744073709551616.0"}},
		{"stat --format tsv --analyze Number?of?Bytes?Sent", []string{"1.1.1 18446744073709551616.0"}},
		{"diagnose --waits", []string{"2 waits, 5,000,000 h: 66.7 % of the time of 3 threads",
			"Wait at Barrier 2 5,000,000 h 66.7 % 2500000 h"}},
		{"diagnose --waits --format json", []string{`"waiting_ns": 18000000000000000000`}},
	} {
		args := strings.Fields(test.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "?", " ")
		}
		got := run(t, dir, append(args, "long.prv")...)
		text := strings.Join(strings.Fields(got.stdout), " ")
		for _, want := range test.want {
			if got.status != 0 || !strings.Contains(text, want) {
				t.Errorf("pview %s: status %d, want %q:\n%s%s", test.args, got.status, want, got.stdout, got.stderr)
			}
		}
	}
}

// The replay of the accuracy table is compared with 2 x 9223372036854775000 ns, of which it shows the mean of the
// threads.
func TestReplayBeyond63Bits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const half, end = "4611686018427387904", "9223372036854775000"
	write(t, dir, "long.prv", []byte("#Paraver (01/01/2026 at 00:00):"+end+"_ns:0:1:2(1:1,1:1)\n"+
		"1:0:1:1:1:0:"+end+":1\n1:0:1:2:1:0:"+half+":1\n1:0:1:2:1:"+half+":"+end+":3\n"+
		"2:0:1:1:1:100:50000001:7\n2:0:1:1:1:"+half+":50000001:0\n"+
		"3:0:1:1:1:100:100:0:1:2:1:"+half+":"+half+":1:5\n"))
	got := run(t, dir, "sim", "long.prv")
	if text := strings.Join(strings.Fields(got.stdout), " "); got.status != 0 ||
		!strings.Contains(text, "the run 2562047 h 47 min 17 s 100 ns") {
		t.Errorf("%+v", got)
	}
}
