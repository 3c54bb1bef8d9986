package exact_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"pview/prv/exact"
	"pview/prv/prvtest"
)

// values has a field of each kind.
type values struct {
	Text  exact.Text
	Float exact.Float
	Texts []exact.Text
}

func asText(v *values) string { return fmt.Sprintf("%q %v %q", v.Text, v.Float, v.Texts) }

func TestReadsBackAnything(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var v, back values
		prvtest.Fill(rng, &v)
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if want, got := asText(&v), asText(&back); err != nil || got != want {
			t.Errorf("seed %d: %s instead of %s: %v", seed, got, want, err)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, text := range []string{`{"Float":"1"}`, `{"Float":"many"}`, `{"Float":[1]}`, `{"Text":1}`,
		`{"Text":["%"]}`} {
		if err := json.Unmarshal([]byte(text), &values{}); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}
