package dialog

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// score says how well a pattern fits a text; ok is false where it does not.
// Every word of the pattern must occur: as a substring, better at the begin of a
// word and best at the begin of the text, or else as letters in that order. Case
// does not matter.
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
	// Letters in order: the closer together, the better.
	points, last := 60, -1
	at := 0
	for _, r := range word {
		i := strings.IndexRune(text[at:], r)
		if i < 0 {
			return 0, false
		}
		if i += at; last >= 0 {
			points -= min(i-last-1, 10)
		}
		last, at = i, i+utf8.RuneLen(r)
	}
	return max(points, 1), true
}

func wordBegins(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	return !unicode.IsLetter(before) && !unicode.IsDigit(before)
}

// Rank returns the positions of the texts that fit the pattern, best first; in
// their own order where they fit equally well, or where the pattern is empty.
func Rank(pattern string, n int, text func(int) string) []int {
	found := make([]int, 0, n)
	points := make(map[int]int, n)
	for i := range n {
		if p, ok := score(pattern, text(i)); ok {
			found = append(found, i)
			points[i] = p
		}
	}
	if strings.TrimSpace(pattern) != "" {
		sort.SliceStable(found, func(a, b int) bool { return points[found[a]] > points[found[b]] })
	}
	return found
}
