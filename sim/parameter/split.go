package parameter

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pview/sim"
)

var timeParameter = Parameter{Kind: KindTime}

// splits writes the split blocks.
func splits(m *sim.Machine) string {
	var list []string
	for _, b := range m.Modules {
		if b.Threads < 2 {
			continue
		}
		text := fmt.Sprintf("%d:%d=%d", b.Type, b.Value, b.Threads)
		if b.Fork != 0 || b.Join != 0 {
			text += "," + timeParameter.Format(b.Fork)
		}
		if b.Join != 0 {
			text += "," + timeParameter.Format(b.Join)
		}
		list = append(list, text)
	}
	return strings.Join(list, ";")
}

// setSplits takes TYPE:VALUE=N, TYPE:VALUE=N,FORK and TYPE:VALUE=N,FORK,JOIN; 1 thread undoes a split.
func setSplits(m *sim.Machine, text string) error {
	for one := range strings.SplitSeq(text, ";") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		b, s, err := parseSplit(one)
		if err != nil {
			return err
		}
		set := m.Block(b.Type, b.Value)
		set.Split = s
		m.SetModule(set)
	}
	return nil
}

func parseSplit(text string) (b sim.Module, s sim.Split, err error) {
	block, how, _ := strings.Cut(text, "=") // what is missing is no number
	typ, value, _ := strings.Cut(block, ":")
	words := strings.Split(how, ",")
	t, err1 := strconv.ParseUint(strings.TrimSpace(typ), 10, 32)
	v, err2 := strconv.ParseUint(strings.TrimSpace(value), 10, 63)
	n, err3 := strconv.Atoi(strings.TrimSpace(words[0]))
	if errors.Join(err1, err2, err3) != nil || t == 0 || v == 0 || len(words) > 3 {
		return b, s, fmt.Errorf("must be TYPE:VALUE=THREADS,FORK,JOIN, such as 60000019:3=4,10us,20us, not %q", text)
	}
	if n < 1 || n > sim.MaxSplit {
		return b, s, fmt.Errorf("%q: threads must be from 1 to %d", text, sim.MaxSplit)
	}
	s.Threads = n
	for i, to := range []*float64{&s.Fork, &s.Join} {
		if len(words) > i+1 {
			if *to, err = timeParameter.Parse(words[i+1]); err != nil {
				return b, s, fmt.Errorf("%q: %w", text, err)
			}
		}
	}
	if n == 1 {
		s = sim.Split{}
	}
	return sim.Module{Type: uint32(t), Value: int64(v)}, s, nil
}
