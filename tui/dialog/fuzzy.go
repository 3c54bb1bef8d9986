package dialog

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// score says how well a pattern fits a text; ok is false if it does not. Every word of the pattern must occur: as a
// substring, better at the start of a word and best at the start of the text, or else as the first letters of words:
// "mcp" and "mpipro" match MPI call profile. Letters scattered over the text do not match: a long text contains any
// letters. Case does not matter.
func score(pattern, text string) (points int, ok bool) {
	if len(pattern) > longestPattern {
		return 0, false
	}
	text = strings.ToLower(text)
	for _, word := range strings.Fields(strings.ToLower(pattern)) {
		p, ok := scoreWord(word, text)
		if !ok {
			return 0, false
		}
		points += p
	}
	return points - utf8.RuneCountInString(text)/8, true
}

// longestPattern bounds the time of a comparison; no name is longer.
const longestPattern = 400

func scoreWord(word, text string) (int, bool) {
	if text == word {
		return 1000, true
	}
	if i := strings.Index(text, word); i >= 0 {
		switch {
		case i == 0:
			return 500, true
		case wordBegins(text, i):
			return 300, true
		}
		return 150, true
	}
	s := spreading{text: text}
	if p := s.points(word, 0, false); p > 0 {
		return p, true
	}
	return 0, false
}

// spreading matches letters that follow each other in a text, or begin the next words that they can.
type spreading struct {
	text   string
	failed map[spreadAt]bool // without it the time is exponential, as for "aaaaaab" in "a a a a a a a"
}

type spreadAt struct {
	left, at int
	inside   bool
}

// points returns more the fewer words the letters are spread over, 0 for no match. inside says that text[:at] ends with
// a letter that has been matched.
func (s *spreading) points(letters string, at int, inside bool) int {
	if letters == "" {
		return 60
	}
	state := spreadAt{len(letters), at, inside}
	if len(letters) > len(s.text)-at || s.failed[state] {
		return 0
	}
	r, n := utf8.DecodeRuneInString(letters)
	best := 0
	if inside && strings.HasPrefix(s.text[at:], letters[:n]) {
		best = s.points(letters[n:], at+n, true)
	}
	for from := at; best == 0; {
		i := strings.IndexRune(s.text[from:], r)
		if i < 0 {
			break
		}
		if i += from; wordBegins(s.text, i) {
			best = max(s.points(letters[n:], i+n, true)-5, 0)
		}
		from = i + n
	}
	if best == 0 {
		if s.failed == nil {
			s.failed = map[spreadAt]bool{}
		}
		s.failed[state] = true
	}
	return best
}

func wordBegins(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	return !unicode.IsLetter(before) && !unicode.IsDigit(before)
}

// Rank returns the positions of the texts that match the pattern, best first; equal matches, or all if the pattern is
// empty, stay in order.
func Rank(pattern string, n int, text func(int) string) []int {
	return rankBy(pattern, n, func(i int) (int, bool) { return score(pattern, text(i)) })
}

// rankBy is Rank by points.
func rankBy(pattern string, n int, score func(i int) (points int, ok bool)) []int {
	found := make([]int, 0, n)
	points := make(map[int]int, n)
	for i := range n {
		if p, ok := score(i); ok {
			found = append(found, i)
			points[i] = p
		}
	}
	if strings.TrimSpace(pattern) != "" {
		sort.SliceStable(found, func(a, b int) bool { return points[found[a]] > points[found[b]] })
	}
	return found
}
