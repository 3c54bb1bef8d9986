package action

import (
	"fmt"
	"strings"
)

// Choose returns the position of the name that args gives; without args, the position step further.
func Choose(names []string, at, step int, args string) (int, error) {
	if args == "" {
		return (at + step + len(names)) % len(names), nil
	}
	args = strings.Trim(strings.TrimSpace(args), `"`)
	for _, fits := range []func(s string) bool{
		func(s string) bool { return strings.EqualFold(s, args) },
		func(s string) bool { return strings.HasPrefix(strings.ToLower(s), strings.ToLower(args)) },
		func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(args)) },
	} {
		for i, s := range names {
			if fits(s) {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("%q is none of: %s", args, strings.Join(names, ", "))
}
