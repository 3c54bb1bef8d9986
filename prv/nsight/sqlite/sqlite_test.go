package sqlite

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // SQLite itself: it writes the files, and reads them for comparison
)

// database is a file that SQLite has open.
type database struct {
	*sql.DB
	path string
	t    testing.TB
}

func newDatabase(t testing.TB, statements ...string) *database {
	t.Helper()
	d := &database{path: filepath.Join(t.TempDir(), "a.sqlite"), t: t}
	d.open()
	d.do("pragma synchronous = off")
	d.do(statements...)
	return d
}

func (d *database) open() {
	db, err := sql.Open("sqlite", d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	d.DB = db
	d.t.Cleanup(func() { db.Close() })
}

func (d *database) do(statements ...string) {
	d.t.Helper()
	for _, s := range statements {
		if _, err := d.Exec(s); err != nil {
			d.t.Fatal(s, err)
		}
	}
}

// fill adds rows of all types and sizes.
func (d *database) fill(table string, rows int) {
	d.t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	tx, err := d.Begin()
	if err != nil {
		d.t.Fatal(err)
	}
	random := func() any {
		switch n := r.IntN(12); {
		case n < 4:
			return r.Int64() >> r.IntN(64) * (1 - 2*r.Int64N(2))
		case n < 6:
			return r.NormFloat64() * 1e6
		case n == 6:
			return float64(r.IntN(100))
		case n == 7:
			return nil
		case n == 8:
			return strings.Repeat("\u20ac\U0001F600 a\x00b", r.IntN(4))
		case n == 9:
			return strings.Repeat("text ", 1<<r.IntN(14)/5)
		case n == 10:
			return make([]byte, r.IntN(40))
		}
		return r.IntN(2)
	}
	for range rows {
		if _, err := tx.Exec("insert into "+table+" values (?, ?, ?, ?, ?)", random(), random(), random(), random(),
			random()); err != nil {
			d.t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		d.t.Fatal(err)
	}
}

// separator separates the values of a row.
const separator = " | "

// word writes a value with its type.
func word(v any) string {
	if b, ok := v.([]byte); ok {
		return fmt.Sprintf("blob %x", b)
	}
	return fmt.Sprintf("%T %q", v, fmt.Sprint(v))
}

func (v Value) word() string {
	switch v.Kind {
	case Integer:
		n, _ := v.Integer()
		return word(n)
	case Real:
		x, _ := v.Real()
		return word(x)
	case Text:
		return word(v.Text())
	case Blob:
		return word(v.Bytes)
	}
	return word(nil)
}

// expected returns the columns and rows of a table as SQLite reads them.
func (d *database) expected(table string) (columns, rows []string) {
	d.t.Helper()
	result, err := d.Query("select * from " + `"` + table + `" order by rowid`)
	if err != nil {
		d.t.Fatal(err)
	}
	defer result.Close()
	columns, err = result.Columns()
	if err != nil {
		d.t.Fatal(err)
	}
	values, places := make([]any, len(columns)), make([]any, len(columns))
	for i := range places {
		places[i] = &values[i]
	}
	for result.Next() {
		if err := result.Scan(places...); err != nil {
			d.t.Fatal(err)
		}
		var words []string
		for _, v := range values {
			words = append(words, word(v))
		}
		rows = append(rows, strings.Join(words, separator))
	}
	return columns, rows
}

// scanned returns the rows of a table.
func scanned(t *Table, columns []string) (rows []string, err error) {
	err = t.Scan(columns, func(v []Value) bool {
		var words []string
		for i := range v {
			words = append(words, v[i].word())
		}
		rows = append(rows, strings.Join(words, separator))
		return true
	})
	return rows, err
}

func opened(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// compare compares all tables with what SQLite reads: with all columns and with every second one.
func (d *database) compare(f *File) {
	t := d.t
	t.Helper()
	names, err := d.Query("select name from sqlite_master where type = 'table'")
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if len(tables) != len(f.Tables) {
		t.Errorf("%d tables, want %q", len(f.Tables), tables)
	}
	for _, name := range tables {
		table := f.Tables[name]
		if table == nil {
			t.Errorf("no table %s", name)
			continue
		}
		columns, want := d.expected(name)
		got, err := scanned(table, columns)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		sameRows(t, name, got, want)
		var last int64
		if err := d.QueryRow(`select coalesce(max(rowid), 0) from "` + name + `"`).Scan(&last); err != nil {
			t.Fatal(err)
		}
		if table.Last() != last {
			t.Errorf("%s: last row %d, want %d", name, table.Last(), last)
		}
		var some []string
		for i := len(columns) - 1; i >= 0; i -= 2 {
			some = append(some, columns[i])
		}
		got, err = scanned(table, append(some, "no such column"))
		for i, row := range want {
			all, part := strings.Split(row, separator), []string{}
			for k := len(all) - 1; k >= 0; k -= 2 {
				part = append(part, all[k])
			}
			want[i] = strings.Join(append(part, word(nil)), separator)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		sameRows(t, name+", some columns", got, want)
	}
}

func sameRows(t testing.TB, name string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, want %d", name, len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: row %d is %.300s, want %.300s", name, i, got[i], want[i])
		}
	}
}

// Files of all page sizes, encodings and vacuum modes, with free pages, are read as SQLite reads them.
func TestForms(t *testing.T) {
	for i, pageSize := range []int{512, 1024, 4096, 32768, 65536} {
		for k, encoding := range []string{"UTF-8", "UTF-16le", "UTF-16be"} {
			vacuum := []string{"none", "full", "incremental"}[(i+k)%3]
			t.Run(fmt.Sprintf("%d %s %s", pageSize, encoding, vacuum), func(t *testing.T) {
				d := newDatabase(t, fmt.Sprintf("pragma page_size = %d", pageSize), "pragma encoding = '"+encoding+"'",
					"pragma auto_vacuum = "+vacuum, "create table free (a, b, c, d, e)",
					`create table "Ünicode \U0001F600" (a INTEGER, b REAL, c TEXT, d BLOB, e)`,
					"create index i on free (a, c)",
					"create view v as select * from free")
				d.fill("free", 300)
				d.fill(`"Ünicode \U0001F600"`, 1000)
				d.do("delete from free where rowid % 3 > 0")
				d.compare(opened(t, d.path))
				d.do("vacuum")
				d.compare(opened(t, d.path))
			})
		}
	}
}

// Pages may reserve bytes at their end.
func TestReserved(t *testing.T) {
	d := newDatabase(t, "pragma page_size = 512", "pragma user_version = 1")
	d.Close()
	b, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	b[20], b[headerSize+5], b[headerSize+6] = 32, 1, 0xe0
	if err := os.WriteFile(d.path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	d.open()
	d.do("create table x (a, b, c, d, e)")
	d.fill("x", 500)
	f := opened(t, d.path)
	if f.usable != 480 {
		t.Fatalf("%d bytes of a page are used", f.usable)
	}
	d.compare(f)
}

// Columns are found however a definition is written.
func TestDefinitions(t *testing.T) {
	for _, definition := range []string{
		"(a, b INTEGER PRIMARY KEY, c)", "(a, b integer primary key desc, c)", "(a, b INT PRIMARY KEY, c)",
		"(a, b INTEGER, c, PRIMARY KEY (b))", "(a, b INTEGER, c, constraint k PRIMARY KEY (\"B\" DESC))",
		"(a, b INTEGER, c, PRIMARY KEY (b, c))",
		"(a, b \"INTEGER\" NOT NULL CONSTRAINT k PRIMARY KEY AUTOINCREMENT, c)",
		"(\"a \"\"1\"\" , (\" TEXT, [b ) c] REAL, `d``e` DEFAULT (1 + (2)) NOT NULL)",
		"( -- a comment, with a comma\n a INTEGER NOT NULL, -- and (\n b REAL /* , x */ DEFAULT -1.5e-3, c\n)",
		"(a VARCHAR(10, 2) COLLATE NOCASE, b DECIMAL(5) CHECK (max(b, 1) > 0) REFERENCES x (y) ON DELETE " +
			"CASCADE, c DOUBLE PRECISION, UNIQUE (a, b), CHECK (a <> ','), FOREIGN KEY (a, b) REFERENCES z (q, r))",
		"(\u00e4 LONG INTEGER, b$1 CHARINT, 'c' FLOATING POINT)", "(a INTEGER, b ANY, c REAL) STRICT",
		"as select 1 as a, 'x' as \"b c\", 2.5 as d",
		"(a BLOB, b CLOB, c NUMERIC)", "(c1 REAL, key, [text] TEXT)",
	} {
		strict := strings.HasSuffix(definition, " STRICT")
		d := newDatabase(t, "create table x "+definition)
		for i, values := range []string{"'1', 2, 3", "5, 7, 9", "NULL, 8, '1.5'", "2.0, -3, 4", "x'00', 9, 1e300"} {
			if !strict || i == 1 {
				if _, err := d.Exec("insert or ignore into x values (" + values + ")"); err != nil {
					t.Fatal(definition, err)
				}
			}
		}
		d.compare(opened(t, d.path))
		if t.Failed() {
			t.Fatal(definition)
		}
	}
}

// Rows lack columns that were added later; renamed and dropped columns are as they are now.
func TestAltered(t *testing.T) {
	d := newDatabase(t, "create table x (a, b TEXT)", "insert into x values (1, 'one'), (2, NULL)")
	for i, column := range []string{"INTEGER", "INTEGER DEFAULT 5", "TEXT NOT NULL DEFAULT 'it''s, (so)'",
		"REAL DEFAULT 7", "TEXT DEFAULT 8", "INTEGER DEFAULT '9'", "DEFAULT -3", "DEFAULT +4.5", "DEFAULT 1e3",
		"DEFAULT 2.5E-1", "DEFAULT x'00ff'", "DEFAULT true", "DEFAULT FALSE", "DEFAULT NULL", "DEFAULT \"name\"",
		"DEFAULT (6)", "DEFAULT (-6)", "NUMERIC DEFAULT 4.0", "DEFAULT 0x1F", "DEFAULT word",
		"NUMERIC DEFAULT 'no number'", "DEFAULT 9223372036854775807"} {
		d.do(fmt.Sprintf("alter table x add column c%d %s", i, column), fmt.Sprintf("insert into x (a) values (%d)", i))
	}
	d.compare(opened(t, d.path))
	d.do("alter table x rename column c3 to \"c, 3\"", "alter table x drop column c5",
		"alter table x rename to \"y z\"")
	d.compare(opened(t, d.path))
}

// Row numbers may be negative and far apart.
func TestRowNumbers(t *testing.T) {
	d := newDatabase(t, "create table x (a, id INTEGER PRIMARY KEY, b)",
		"insert into x values (1, -9223372036854775808, 2), (1, -1, 2), (3, 0, NULL), (5, 9223372036854775807, 5)")
	d.compare(opened(t, d.path))
}

// Tables that cannot be read give the reason.
func TestRefused(t *testing.T) {
	d := newDatabase(t, "create table a (x PRIMARY KEY) WITHOUT ROWID", "create table b (x, y AS (x + 1))",
		"create table c (x, y GENERATED ALWAYS AS (x) STORED)", "create virtual table d using fts5(x)",
		"create table e (x)")
	f := opened(t, d.path)
	for name, want := range map[string]string{"a": "a WITHOUT ROWID table", "b": "column y is generated",
		"c": "column y is generated", "d": "a virtual table"} {
		if err := f.Tables[name].Scan([]string{"x"}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := f.Tables["e"].Scan([]string{"x"}, nil); err != nil {
		t.Error(err)
	}
}

// A log with changes that the file lacks is rejected; a merged one is not.
func TestLog(t *testing.T) {
	d := newDatabase(t, "pragma journal_mode = wal", "create table x (a, b, c, d, e)",
		"pragma wal_checkpoint(TRUNCATE)")
	d.compare(opened(t, d.path))
	d.fill("x", 100)
	if _, err := Open(d.path); err == nil || !strings.Contains(err.Error(), "checkpoint it first") {
		t.Errorf("a log with changes: %v", err)
	}
	d.do("pragma wal_checkpoint(PASSIVE)")
	if info, err := os.Stat(d.path + "-wal"); err != nil || info.Size() == 0 {
		t.Fatal("the log is gone", err)
	}
	d.compare(opened(t, d.path))
	d.do("begin", "delete from x", "rollback", "update x set a = 5 where rowid = 7")
	if _, err := Open(d.path); err == nil {
		t.Error("a log that begins again")
	}
}

// A sample takes one of several pages, from the first to the last; of a table of one page it takes all.
func TestSample(t *testing.T) {
	d := newDatabase(t, "pragma page_size = 512", "create table x (a INTEGER)", "create table y (a)",
		"insert into y values (1), (2)",
		"with recursive n (i) as (select 1 union all select i + 1 from n where i < 50000) "+
			"insert into x select i from n")
	f := opened(t, d.path)
	for table, rows := range map[string]int{"x": 50000, "y": 2} {
		for _, every := range []int{1, 2, 7} {
			n, last := 0, int64(0)
			err := f.Tables[table].Sample([]string{"a"}, every, func(v []Value) bool {
				if a, _ := v[0].Integer(); a <= last {
					t.Fatalf("%d after %d", a, last)
				} else {
					n, last = n+1, a
				}
				return true
			})
			least, most := rows/every*9/10, rows/every*11/10
			if table == "y" {
				least, most = rows, rows
			}
			if err != nil || n < least || n > most || last < int64(rows)*99/100 {
				t.Errorf("%s, every %d: %d rows to %d, %v", table, every, n, last, err)
			}
		}
	}
}

// A scan ends when its caller breaks off.
func TestEnd(t *testing.T) {
	n := 0
	f := openedBytes(t, small(t))
	if err := f.Tables["x"].Scan([]string{"a"}, func([]Value) bool { n++; return n < 40 }); err != nil || n != 40 {
		t.Errorf("%d rows, %v", n, err)
	}
}
