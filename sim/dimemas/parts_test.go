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

// Threads that are read in parallel make the program that a reading from begin to end makes, whatever the offsets say;
// and errors name the same line.
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
