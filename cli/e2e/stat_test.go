//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// Thread 1.1.1 sends 64 bytes with tag 1 from 2 to 5 and 1000 bytes with tag 2 from 10 to 14, both to 1.2.1; the data
// leaves 1 ns after each send.
const twoMessages = header + "1:1:1:1:1:0:100:1\n1:2:1:2:1:0:100:1\n" +
	"3:1:1:1:1:2:3:2:1:2:1:4:5:64:1\n" +
	"3:1:1:1:1:10:11:2:1:2:1:13:14:1000:2\n"

func TestStatChoosesMessages(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(twoMessages))
	// Sizes on the sender's row: from one send to the next, or from the first to the end.
	const both = "2:64 10:1000"
	for flags, want := range map[string]string{
		"":                                both,
		"--message-size 64":               "2:64",
		"--message-size 100:2000":         "10:1000",
		"--message-tag 2":                 "10:1000",
		"--message-tag 1,2":               both,
		"--message-from 1 --message-to 2": both,
		"--message-from 2":                "",
		"--message-to 1":                  "",
	} {
		args := append([]string{"stat", "a.prv", "--format", "tsv", "--precision", "0", "--unit", "ns", "--thread",
			"Last Send Size"}, strings.Fields(flags)...)
		r := run(t, dir, args...)
		var got []string
		for _, line := range strings.Split(r.stdout, "\n") {
			if f := strings.Split(line, "\t"); len(f) == 4 && f[0] == "1.1.1" && f[3] != "0" {
				got = append(got, f[1]+":"+f[3])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q; %s%s", flags, got, want, r.stderr, r.stdout)
		}
	}
	// The data of the messages is in transit from 3 to 5 and from 11 to 14.
	r := run(t, dir, "stat", "a.prv", "--format", "tsv", "--precision", "0", "--unit", "ns", "--thread",
		"Send Bytes in Transit", "--physical")
	for _, want := range []string{"1.1.1\t3\t2\t64\n", "1.1.1\t11\t3\t1000\n"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("--physical: no %q in\n%s%s", want, r.stdout, r.stderr)
		}
	}
	for _, flags := range []string{"--message-size x", "--message-size 2:1", "--message-tag 1:2:3",
		"--message-to 1,,2"} {
		if r := run(t, dir, append([]string{"stat", "a.prv"}, strings.Fields(flags)...)...); r.status != 2 {
			t.Errorf("%s: %+v", flags, r)
		}
	}
}

// Names with control characters, fillers, piles of marks and 64 KiB do not reach the output unchanged.
func TestAwkwardNames(t *testing.T) {
	dir := t.TempDir()
	name := "a\x1b]52;c;eA==\a\u202e\u009b.prv"
	write(t, dir, name, []byte(header+"1:1:1:1:1:0:10:1\n1:1:1:1:1:10:20:2\n1:1:1:1:1:20:30:3\n"))
	label := strings.Repeat("x", 60<<10)
	write(t, dir, strings.TrimSuffix(name, ".prv")+".pcf",
		[]byte("STATES\n1    "+label+"\n2    e"+strings.Repeat("\u0301", 500)+"\n3    a\u3164b\n"))
	for _, format := range []string{"table", "tsv", "csv"} {
		r := run(t, dir, "info", "--format", format, name)
		if r.status != 0 || strings.ContainsAny(r.stdout+r.stderr, "\x1b\a\u202e\u009b\u3164") {
			t.Errorf("%s: status %d, %.200q", format, r.status, r.stdout)
		}
		if n := strings.Count(r.stdout, "\u0301"); n != 4 {
			t.Errorf("%s: %d marks", format, n)
		}
		if format == "table" && (len(r.stdout) > 4000 || !strings.Contains(r.stdout, "xxx...")) {
			t.Errorf("the table has %d bytes", len(r.stdout))
		}
	}
}
