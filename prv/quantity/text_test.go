package quantity

import (
	"encoding/json"
	"testing"
)

// late is a time of 1500 us.
type late struct{}

func (late) String() string {
	if TimeUnit() == "us" {
		return "1500 us"
	}
	return "1.5 ms"
}

// TestTextFollowsUnits: a text is formatted when it is read, also within another text; in JSON it is a string, or left
// out if empty.
func TestTextFollowsUnits(t *testing.T) {
	text := Textf("%s; but %s", Textf("%d workers take %s", 6, late{}), Textf("%.0f %% off", 12.0))
	if got := text.String(); got != "6 workers take 1.5 ms; but 12 % off" {
		t.Error(got)
	}
	if err := UseTimeUnit("us"); err != nil {
		t.Fatal(err)
	}
	defer UseTimeUnit("auto")
	if got := text.String(); got != "6 workers take 1500 us; but 12 % off" {
		t.Error(got)
	}
	out, err := json.Marshal(struct {
		Note Text `json:"note,omitzero"`
		More Text `json:"more,omitzero"`
	}{Note: text})
	if string(out) != `{"note":"6 workers take 1500 us; but 12 % off"}` || err != nil {
		t.Error(string(out), err)
	}
}
