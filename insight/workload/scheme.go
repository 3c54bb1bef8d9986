package workload

// Schemes: an analysis to be repeated on other traces (MEDEA calls it a format), as a small text file.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/adrg/xdg"

	"pview/insight/workload/cluster"
	"pview/prv/decode"
)

// Scheme is an analysis in terms of names.
type Scheme struct {
	Component  string    `toml:"component" json:"component"`
	Parameters []string  `toml:"parameters" json:"parameters"`
	Extra      []string  `toml:"extra,omitempty" json:"extra,omitempty"`
	Scaling    string    `toml:"scaling,omitempty" json:"scaling,omitempty"`
	LeastNs    float64   `toml:"least_ns,omitempty" json:"least_ns,omitempty"`
	Trim       []float64 `toml:"trim,omitempty" json:"trim,omitempty"`
	Method     string    `toml:"method,omitempty" json:"method,omitempty"`
	K          int       `toml:"k,omitempty" json:"k,omitempty"`
	MostK      int       `toml:"most_k,omitempty" json:"most_k,omitempty"`
	Rule       string    `toml:"rule,omitempty" json:"rule,omitempty"`
	Eps        float64   `toml:"eps,omitempty" json:"eps,omitempty"`
	MinPoints  int       `toml:"min_points,omitempty" json:"min_points,omitempty"`
	Threshold  float64   `toml:"threshold,omitempty" json:"threshold,omitempty"`
	Sample     int       `toml:"sample,omitempty" json:"sample,omitempty"`
}

// SchemeOf returns the scheme of settings.
func SchemeOf(kind *Kind, set Settings) *Scheme {
	s := &Scheme{Component: kind.Name, Extra: set.Extra, LeastNs: set.Least, Method: set.Method, K: set.K,
		MostK: set.MostK, Eps: set.Eps, MinPoints: set.MinPoints,
		Threshold: set.Threshold, Sample: set.Sample}
	for _, p := range set.Parameters {
		s.Parameters = append(s.Parameters, p.String())
	}
	if set.Scaling != nil {
		s.Scaling = set.Scaling.Name
	}
	if set.Rule != nil {
		s.Rule = set.Rule.Name
	}
	if set.TrimLow != 0 || set.TrimHigh != 0 {
		s.Trim = []float64{set.TrimLow, set.TrimHigh}
	}
	return s
}

// Settings returns the kind and the settings of a scheme.
func (s *Scheme) Settings() (*Kind, Settings, error) {
	set := Settings{Extra: s.Extra, Least: s.LeastNs, Method: s.Method, K: s.K, MostK: s.MostK, Eps: s.Eps,
		MinPoints: s.MinPoints, Threshold: s.Threshold, Sample: s.Sample}
	kind, err := KindByName(s.Component)
	if err != nil {
		return nil, set, err
	}
	for _, text := range s.Parameters {
		p, err := parseParameter(text)
		if err != nil {
			return nil, set, err
		}
		set.Parameters = append(set.Parameters, p)
	}
	if s.Scaling != "" {
		if set.Scaling, err = scalingByName(s.Scaling); err != nil {
			return nil, set, err
		}
	}
	if s.Rule != "" {
		i := slices.IndexFunc(cluster.Rules, func(r cluster.Rule) bool { return r.Name == s.Rule })
		if i < 0 {
			return nil, set, fmt.Errorf("unknown rule %q", s.Rule)
		}
		set.Rule = &cluster.Rules[i]
	}
	if len(s.Trim) == 2 {
		set.TrimLow, set.TrimHigh = s.Trim[0], s.Trim[1]
	} else if len(s.Trim) != 0 {
		return nil, set, errors.New("trim: must be two percentiles")
	}
	return kind, set, nil
}

// SchemeFolder returns the user's folder of schemes.
func SchemeFolder() string { return filepath.Join(xdg.ConfigHome, "pview", "workload") }

// schemeExt is the extension of the files.
const schemeExt = ".toml"

// SchemePath returns the file of a scheme: a path unchanged, a name below the folder.
func SchemePath(folder, name string) string {
	if strings.ContainsRune(name, filepath.Separator) || strings.HasSuffix(name, schemeExt) {
		return name
	}
	return filepath.Join(folder, name+schemeExt)
}

// ReadScheme reads a scheme from its file.
func ReadScheme(path string) (*Scheme, error) {
	s := &Scheme{}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	meta, err := decode.TOML(path, string(text), s)
	if err != nil {
		return nil, err
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("%s: unknown setting %q", path, keys[0])
	}
	return s, nil
}

// Text returns the file of a scheme.
func (s *Scheme) Text() (string, error) {
	var b strings.Builder
	err := toml.NewEncoder(&b).Encode(s)
	return b.String(), err
}

// Schemes returns the names of the schemes in a folder.
func Schemes(folder string) (names []string) {
	list, _ := os.ReadDir(folder) // no folder: no schemes
	for _, e := range list {
		if name, ok := strings.CutSuffix(e.Name(), schemeExt); ok {
			names = append(names, name)
		}
	}
	return names
}
