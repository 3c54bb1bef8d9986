package nsight

// The database: its tables, with the columns that they have.

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // pure Go
)

// database is a file that is only read, and taken for unchanging: nothing is written beside it.
type database struct {
	pool   *sql.DB
	conn   *sql.Conn
	tables map[string]map[string]bool // columns, by table
	size   int64
}

// marks are tables of which an export has one at least.
var marks = []string{"META_DATA_EXPORT", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS",
	"StringIds"}

func openDatabase(ctx context.Context, path string) (*database, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(full), RawQuery: "mode=ro&immutable=1"}
	pool, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	d := &database{pool: pool, tables: map[string]map[string]bool{}, size: info.Size()}
	if d.conn, err = pool.Conn(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	var names []string
	err = d.query(ctx, "SELECT name FROM sqlite_master WHERE type = 'table'", 1, func(v []driver.Value) error {
		names = append(names, text(v[0]))
		return nil
	})
	for _, name := range names {
		columns := map[string]bool{}
		if err != nil {
			break
		}
		err = d.query(ctx, "PRAGMA table_info("+quoted(name)+")", 2, func(v []driver.Value) error {
			columns[text(v[1])] = true
			return nil
		})
		d.tables[name] = columns
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *database) close() {
	d.conn.Close()
	d.pool.Close()
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func (d *database) has(table string) bool { return d.tables[table] != nil }

func (d *database) isNsight() bool {
	for _, name := range marks {
		if d.has(name) {
			return true
		}
	}
	return false
}

func (d *database) hasPrefix(prefix string) bool {
	for name := range d.tables {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// query calls row for each row of a result, whose values it must not keep. It uses the driver itself: database/sql
// converts each value by way of a text.
func (d *database) query(ctx context.Context, text string, width int, row func(v []driver.Value) error) error {
	return d.conn.Raw(func(c any) error {
		q, ok := c.(driver.QueryerContext)
		if !ok {
			return errors.New("the driver of SQLite has no queries")
		}
		rows, err := q.QueryContext(ctx, text, nil)
		if err != nil {
			return err
		}
		defer rows.Close()
		if n := len(rows.Columns()); n < width {
			return fmt.Errorf("%d columns, not %d", n, width)
		}
		v := make([]driver.Value, len(rows.Columns()))
		for n := 0; ; n++ {
			if err := rows.Next(v); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if n&4095 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := row(v); err != nil {
				return err
			}
		}
	})
}

// rows returns about the number of rows of a table, 0 if it is unknown.
func (d *database) rows(ctx context.Context, table string) (n int64) {
	d.query(ctx, "SELECT max(rowid) FROM "+quoted(table), 1, func(v []driver.Value) error {
		n, _ = number(v[0])
		return nil
	})
	return min(max(n, 0), d.size)
}

// each calls row for each row of a table, in their order, with the values of columns; those it lacks are nil.
func (d *database) each(ctx context.Context, table, columns, where string, row func(v []driver.Value) error) error {
	has := d.tables[table]
	if has == nil {
		return nil
	}
	list := strings.Fields(columns)
	for i, c := range list {
		if has[c] {
			list[i] = quoted(c)
		} else {
			list[i] = "NULL"
		}
	}
	return d.query(ctx, "SELECT "+strings.Join(list, ", ")+" FROM "+quoted(table)+" NOT INDEXED "+where, len(list), row)
}

// number returns a whole number.
func number(v driver.Value) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		if math.Abs(v) < 1<<62 {
			return int64(v), true
		}
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// whole returns a number, 0 if there is none.
func whole(v driver.Value) int64 {
	n, _ := number(v)
	return n
}

// text returns a text, "" if there is none.
func text(v driver.Value) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}
