package dimemas_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/dimemas"
)

// Threads read in parallel give the same program as a sequential read, whatever the offsets say; and errors name the
// same line.
func TestOffsets(t *testing.T) {
	const head = "d:1:1:2:0:1\n1:0:0:1.5\n2:0:0:1:-1:9:1:1:0\n20:0:0:60000019:2\n"
	const tail = "20:0:1:60000023:1\n1:0:1:0.25\n3:1:0:0:-1:9:1:1:0\n10:1:0:2:1:0:0:4:4:1\n"
	offset := regexp.MustCompile(`:\d+`)
	ctx := context.Background()
	for _, records := range []string{head + tail, head + "1:7:0:1\n" + tail, head + "1:0:0:x\n" + tail,
		head + tail + "1:0:0:9\n"} {
		first := fmt.Sprintf("#DIMEMAS:\"x\":1,%d:2(2,1),1,0,0", 0)
		first = strings.Replace(first, ":1,0:", fmt.Sprintf(":1,%d:", len(first)+2+len(records)), 1) + "\n"
		base := len(first)
		at := func(record string) int { return base + strings.Index(records, record) }
		right := fmt.Sprintf("s:0:%d:%d\ns:1:%d\n", at("1:0:0:1.5"), at("20:0:1"), at("3:1:0"))
		for _, lines := range []string{right, "", strings.Replace(right, "s:1", "s:5", 1),
			offset.ReplaceAllString(right, ":1"), strings.ReplaceAll(right, "0:", "0:1"),
			fmt.Sprintf("s:0:%d:%d\ns:1:%d\n", at("1:0:0:1.5"), at("3:1:0"), at("20:0:1")),
			fmt.Sprintf("s:0:%d:%d\ns:1:%d\n", at("1:0:0:1.5"), at("1:0:1:0.25"), at("3:1:0")),
			fmt.Sprintf("s:0:%d:%d\ns:1:%d\n", at("1:0:0:1.5"), at("20:0:1")+1, at("3:1:0"))} {
			text := first + records + lines
			path := filepath.Join(t.TempDir(), "x.dim")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			want, wantErr := dimemas.ReadProgram(ctx, strings.NewReader(text), path)
			got, err := dimemas.OpenProgram(ctx, path, 0, nil)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s\nerror %v, want %v", text, err, wantErr)
			}
			if err == nil && wantErr == nil && !bytes.Equal(written(t, got), written(t, want)) {
				t.Errorf("%s\nis read as\n%s", text, written(t, got))
			}
		}
	}
}

func written(t *testing.T, p *sim.Program) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := dimemas.WriteProgram(&b, p, "x"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Records taken directly from the buffer mean the same as to the reader of whole lines, wherever the buffer of 1 MB
// ends, and so do those that only look like them.
func TestPlainRecords(t *testing.T) {
	plain := []string{"0:0:0", "1:0:0:0.000000080", "1:0:0:12", "2:0:0:1:-1:8:1:2:0", "2:0:0:1:-1:8:1:2:3",
		"3:0:0:1:-1:8:1:2:1", "10:0:0:2:1:0:0:4:4:1", "20:0:0:60000019:2", "20:0:0:0:1"}
	odd := []string{"", " ", "1:0:0: 0.5", "1:0:0:1e-3", "1:0:0:-1", "1:0:0:.", "1:0:0", "1:0:0:1:2", "1:0:0:0.5\r",
		"01:0:0:1", "1:00:0:1", "1:0:1:1", "1:0:00:1", "2:0:0:1:8:1:2:0", "2:0:0:1:-2:8:1:2:0", "2:0:0:1:-1:8:-1:2:0",
		"2:0:0:1:-1:8:1:2:4", "2:0:0:2:-1:8:1:2:0", "2:0:0:1:-1:-8:1:2:0", "2:0:0:1:-1:8:1:2", "2:0:0:1:-1:8:1:2:0:1",
		"2:0:0:1:-1:8:1:9223372036854775807:0", "3:0:0:1:-1:8:1:2:3", "3:0:0:1:-1:8:1:2:2\r", "20:0:0:1", "20:0:0:1:",
		"20:0:0:1:-5", "20:0:0:1:2:3", "20:0:0:1:18446744073709551615", "20:0:0:4294967295:1", "20:0:0:4294967296:1",
		"20:0:0:1:1234567890123456789", "20:0:0:1: 3", "4:0:0:1", "11:0:0:1", "s:0:1", "x", "1", ":0:0:"}
	many := strings.Repeat(strings.Join(plain, "\n")+"\n", 9000)
	for i, line := range append(odd, plain...) {
		records := "1:0:0:1\n" + line + "\n" + plain[i%len(plain)] + "\n"
		if i%10 == 0 {
			records = many + records + many
		}
		head := func(end int) string {
			return fmt.Sprintf("#DIMEMAS:\"x\":1,%09d:2(1,1),1\nd:1:1:2:0:1\n", end)
		}
		begin, last := len(head(0)), "20:1:0:1:2\n"
		end := begin + len(records) + len(last)
		text := head(end) + records + last + fmt.Sprintf("s:0:%d\ns:1:%d\n", begin, end-len(last))
		path := filepath.Join(t.TempDir(), "x.dim")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want, wantErr := dimemas.ReadProgram(t.Context(), strings.NewReader(text), path)
		got, err := dimemas.OpenProgram(t.Context(), path, 0, nil)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%q: error %v, want %v", line, err, wantErr)
		}
		if err == nil && wantErr == nil && !bytes.Equal(written(t, got), written(t, want)) {
			t.Errorf("%q is read in another way", line)
		}
	}
}
