package dimemas_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"pview/sim/dimemas"
)

// The records that Dimemas lacks, read and written again.
const extended = `#DIMEMAS:"all":0:2(2,1),0
1:0:0:0.000100000
51:0:0:1:4096:0
52:0:0
51:0:0:1:100:1
50:0:0:7:0
53:0:0:80:64:0
2:0:0:1:-1:512:3:9:2
1:0:1:0.000200000
50:0:1:7:1
1:1:0:0.000010000
53:1:0:80:0:1
54:1:0:0:3:9
3:1:0:0:-1:512:3:9:0
`

func TestExtendedRecords(t *testing.T) {
	p, err := dimemas.ReadProgram(context.Background(), strings.NewReader(extended), "extended.dim")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := dimemas.WriteProgram(&b, p, "all"); err != nil {
		t.Fatal(err)
	}
	_, records, _ := strings.Cut(b.String(), "\n")
	want := extended[strings.Index(extended, "\n")+1:]
	if got, _, _ := strings.Cut(records, "s:0:"); got != want {
		t.Errorf("written:\n%s", got)
	}
	// The semaphore is signalled at 200 us, the rest takes no time: both tasks end there.
	r := simulate(t, p, platform(p, 0, 0, 0))
	if r.Tasks[0].End != 200_000 || r.Tasks[1].End != 200_000 || r.Messages != 4 || r.Unreceived != 0 {
		t.Errorf("ends at %d and %d ns, %d messages", r.Tasks[0].End, r.Tasks[1].End, r.Messages)
	}
	for line, why := range map[string]string{
		"50:0:0:7:2":                   "x.dim:2: record of kind 50: its last field is 0 to 1, not 2",
		"50:0:0:7":                     "record of kind 50: 4 fields, not 5",
		"51:0:0:9:1:0":                 "put: there is no task 10",
		"51:0:0:-1:1:0":                "there is no task -1",
		"51:0:0:1:x:0":                 "field 5 is not a number",
		"53:0:0:80:-4:0":               "a message of -4 bytes",
		"55:0:0":                       "there is no record of kind 55",
		"53:0:0:80:0:1\n53:1:0:80:0:1": "task 1.1 and task 1.2 both receive at port 80",
	} {
		text := "#DIMEMAS:\"x\":0:2(1,1),0\n" + line + "\n"
		if _, err := dimemas.ReadProgram(context.Background(), strings.NewReader(text), "x.dim"); err == nil ||
			!strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, not %s", line, err, why)
		}
	}
}
