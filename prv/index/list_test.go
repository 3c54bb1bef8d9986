package index

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pview/prv/model"
)

// An index that was cut off before its description was written is listed with the reason why it cannot be used.
func TestIndexWithoutDescription(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.prv")
	dir := path + suffix
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{path: "#Paraver (a):10:0:1:1(1:1)\n", filepath.Join(dir,
		markFile): markText} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	info, err := Of(path)
	if err != nil || info == nil || info.Dir != dir || info.Bytes != int64(len(markText)) ||
		!strings.Contains(info.Why, metaFile) {
		t.Errorf("%+v, %v", info, err)
	}
}

// The records that were left out are still counted, and the first is named, when a trace comes from its index.
func TestSkippedRecordsAreKept(t *testing.T) {
	var was, is, none model.Skipped
	was.Count[model.NegativeTime], was.Count[model.UnknownObject] = 2, 1
	was.First.Reason, was.First.Line, was.First.Text = model.UnknownObject, 12, "1:9:9"
	skippedOf(&was).restore(&is)
	if !reflect.DeepEqual(is, was) {
		t.Errorf("%+v, want %+v", is, was)
	}
	skippedOf(&none).restore(&none)
	if none.Total() != 0 {
		t.Errorf("%+v", none)
	}
}
