package sqlite

// Tables, as defined by their CREATE TABLE statements.

import (
	"slices"
	"strings"
)

// Table is a table of a file.
type Table struct {
	Name    string
	file    *File
	root    uint32
	columns []column
	rowid   int    // column that is the row's number, -1: none
	refused string // why it cannot be read
}

// column is a column of a table.
type column struct {
	name     string
	affinity affinity
	integer  bool  // of type INTEGER, as a column that is the row's number
	initial  Value // in rows that lack it
	unknown  bool  // the initial value is not a constant
}

// affinity is the type that a column prefers.
type affinity uint8

const (
	noAffinity affinity = iota
	textAffinity
	numericAffinity // integers as well
	realAffinity
)

func (t *Table) index(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
}

// affinityOf returns the affinity of a column's declared type.
func affinityOf(typ string) affinity {
	typ = strings.ToUpper(typ)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(typ, p) })
	}
	switch {
	case has("INT"):
		return numericAffinity
	case has("CHAR", "CLOB", "TEXT"):
		return textAffinity
	case typ == "" || has("BLOB"):
		return noAffinity
	case has("REAL", "FLOA", "DOUB"):
		return realAffinity
	}
	return numericAffinity
}

// tokens splits a statement: names and numbers, texts in their quotes, and single characters.
func tokens(sql string) (list []string) {
	for sql != "" {
		n := 1
		switch c := sql[0]; {
		case strings.HasPrefix(sql, "--"):
			if n = strings.IndexByte(sql, '\n') + 1; n == 0 {
				return list
			}
			sql = sql[n:]
			continue
		case strings.HasPrefix(sql, "/*"):
			if n = strings.Index(sql, "*/") + 2; n == 1 {
				return list
			}
			sql = sql[n:]
			continue
		case strings.IndexByte(" \t\n\f\r", c) >= 0:
			sql = sql[1:]
			continue
		case c == '"' || c == '\'' || c == '`' || c == '[':
			n = quotedLength(sql)
		case isWord(c):
			for n < len(sql) && (isWord(sql[n]) || sql[n] == '\'' && n == 1 && c|0x20 == 'x') {
				if sql[n] == '\'' {
					n += quotedLength(sql[n:])
					break
				}
				n++
			}
		}
		list = append(list, sql[:n])
		sql = sql[n:]
	}
	return list
}

// isWord reports whether a character can be part of a name or number.
func isWord(c byte) bool {
	return c >= 0x80 || c == '_' || c == '$' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// quotedLength returns the length of the quoted text at the start of s. A quote inside is doubled.
func quotedLength(s string) int {
	end := s[0]
	if end == '[' {
		end = ']'
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != end:
		case end != ']' && i+1 < len(s) && s[i+1] == end:
			i++
		default:
			return i + 1
		}
	}
	return len(s)
}

// unquoted returns the text of a token.
func unquoted(token string) string {
	if len(token) < 2 {
		return token
	}
	switch c := token[0]; c {
	case '[':
		return token[1 : len(token)-1]
	case '"', '\'', '`':
		return strings.ReplaceAll(token[1:len(token)-1], string([]byte{c, c}), string(c))
	}
	return token
}

// is reports whether a list begins with the given words.
func is(list []string, words ...string) bool {
	if len(list) < len(words) {
		return false
	}
	for i, w := range words {
		if !strings.EqualFold(list[i], w) {
			return false
		}
	}
	return true
}

// inParentheses returns the comma-separated parts of a list in parentheses, and the tokens after it.
func inParentheses(list []string) (parts [][]string, rest []string) {
	if !is(list, "(") {
		return nil, list
	}
	depth, from := 0, 1
	for i, token := range list {
		switch token {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return append(parts, list[from:i]), list[i+1:]
			}
		case ",":
			if depth == 1 {
				parts = append(parts, list[from:i])
				from = i + 1
			}
		}
	}
	return append(parts, list[from:]), nil
}

// define reads the columns from the statement that made the table.
func (t *Table) define(sql string) {
	t.rowid = -1
	list := tokens(sql)
	if is(list, "CREATE", "VIRTUAL") {
		t.refused = "a virtual table, whose rows are elsewhere"
		return
	}
	open := slices.Index(list, "(")
	if !is(list, "CREATE", "TABLE") || open < 0 {
		t.refused = "its definition is not understood"
		return
	}
	parts, options := inParentheses(list[open:])
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		if isConstraint(part[0]) {
			t.constrain(part)
		} else {
			t.addColumn(part)
		}
	}
	for i := range options {
		if is(options[i:], "WITHOUT", "ROWID") {
			t.refused = "a WITHOUT ROWID table, which pview does not read"
		}
	}
}

func isConstraint(token string) bool {
	words := []string{"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"}
	return slices.Contains(words, strings.ToUpper(token))
}

// endOfType are the words that can follow the type of a column.
var endOfType = []string{"CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
	"GENERATED", "AS"}

// constrain finds the primary key in the constraints of the table.
func (t *Table) constrain(part []string) {
	for i := range part {
		if !is(part[i:], "PRIMARY", "KEY", "(") {
			continue
		}
		if columns, _ := inParentheses(part[i+2:]); len(columns) == 1 && len(columns[0]) > 0 {
			name := unquoted(columns[0][0])
			t.rowid = slices.IndexFunc(t.columns, func(c column) bool {
				return strings.EqualFold(c.name, name) && c.integer
			})
		}
	}
}

// addColumn adds a column by its definition.
func (t *Table) addColumn(part []string) {
	c := column{name: unquoted(part[0])}
	n := 1
	for n < len(part) && !slices.Contains(endOfType, strings.ToUpper(part[n])) {
		n++
	}
	for i := 1; i < n; i++ {
		part[i] = unquoted(part[i])
	}
	typ := strings.Join(part[1:n], " ")
	c.affinity, c.integer = affinityOf(typ), strings.EqualFold(typ, "INTEGER")
	for rest := part[n:]; len(rest) > 0; rest = rest[1:] {
		switch {
		case is(rest, "PRIMARY", "KEY") && c.integer && !is(rest[2:], "DESC"):
			t.rowid = len(t.columns)
		case is(rest, "DEFAULT"):
			c.setInitial(rest[1:])
		case is(rest, "AS", "("):
			t.refused = "column " + c.name + " is generated, which pview does not read"
		case is(rest, "("):
			_, after := inParentheses(rest)
			rest = rest[len(rest)-len(after)-1:]
		}
	}
	t.columns = append(t.columns, c)
}
