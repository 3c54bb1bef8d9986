package quantity

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/wide"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		FormatCount(0):                                    "0",
		FormatCount(-1234567):                             "-1,234,567",
		FormatCount(999):                                  "999",
		FormatCount(math.MinInt64):                        "-9,223,372,036,854,775,808",
		FormatExact(12034567891, prv.Nanoseconds):         "12,034,567,891 ns",
		FormatValue(1234567, "B"):                         "1,234,567 B",
		FormatValue(1<<53-1, ""):                          "9,007,199,254,740,991",
		FormatValue(0.125, "us"):                          "0.125 us",
		FormatValue(12345.678, ""):                        "12,345.7",
		FormatValue(-12345.678, ""):                       "-12,345.7",
		FormatValue(1e-9, ""):                             "1e-09",
		FormatValue(1.5e300, ""):                          "1.5e+300",
		FormatValue(math.Inf(-1), ""):                     "-inf",
		FormatValue(math.NaN(), ""):                       "NaN",
		CountOf(1, "row"):                                 "1 row",
		CountOf(0, "row"):                                 "0 rows",
		CountOf(71268, "row"):                             "71,268 rows",
		FormatDifference(wide.Of(-20e3), prv.Nanoseconds): "-20 us",
		FormatDifference(wide.Int{}, prv.Nanoseconds):     "+0 ns",
		FormatSpan(0.5, prv.Nanoseconds):                  "0.5 ns",
		FormatSpan(1500.4, prv.Nanoseconds):               "1.5 us",
		FormatSpan(12, prv.Nanoseconds):                   "12 ns",
		FormatShort(0):                                    "0",
		FormatShort(1234567):                              "1.23M",
		FormatShort(9999.9):                               "10k",
		FormatShort(5000):                                 "5000",
		FormatShort(999_950):                              "1M",
		FormatShort(0.05):                                 "0.05",
		FormatShort(-2.5e9):                               "-2.5G",
		FormatShort(3e18):                                 "3.0e+18",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Percentages have one decimal, two below 0.1 %, none from 100 % on; 0 is written 0, and a percentage that would round
// to 0 is not.
func TestPercentages(t *testing.T) {
	for _, c := range []struct {
		share           float64
		percent, change string
	}{
		{0, "0 %", "0 %"},
		{1.47e-7, "< 0.01 %", "< 0.01 %"},
		{-1e-6, "> -0.01 %", "> -0.01 %"},
		{0.00005, "0.01 %", "+0.01 %"},
		{0.000049, "< 0.01 %", "< 0.01 %"},
		{-0.000049, "> -0.01 %", "> -0.01 %"},
		{0.00094, "0.09 %", "+0.09 %"},
		{0.00095, "0.1 %", "+0.1 %"},
		{0.00096, "0.1 %", "+0.1 %"},
		{0.052, "5.2 %", "+5.2 %"},
		{-0.2, "-20.0 %", "-20.0 %"},
		{0.9994, "99.9 %", "+99.9 %"},
		{0.9995, "100 %", "+100 %"},
		{0.9996, "100 %", "+100 %"},
		{2.5, "250 %", "+250 %"},
		{999, "99900 %", "+99900 %"},
		{1000, "1,000 times", "+1,000 times"},
		{-86399, "-86,399 times", "-86,399 times"},
		{863_999_999_999, "864 billion times", "+864 billion times"},
		{999_999, "1 million times", "+1 million times"},
		{math.NaN(), "-", "-"},
		{math.Inf(1), "-", "-"},
	} {
		if got := FormatPercent(c.share); got != c.percent {
			t.Errorf("share %g: got %q, want %q", c.share, got, c.percent)
		}
		if got := FormatChange(c.share); got != c.change {
			t.Errorf("change %g: got %q, want %q", c.share, got, c.change)
		}
	}
	for _, c := range []struct {
		done, total int64
		want        string
	}{{0, 0, ""}, {0, 3, "0 %"}, {2, 3, "66 %"}, {4, 3, "100 %"}, {math.MaxInt64, math.MaxInt64, "100 %"}} {
		if got := FormatProgress(c.done, c.total); got != c.want {
			t.Errorf("progress %d of %d: got %q, want %q", c.done, c.total, got, c.want)
		}
	}
}

// Factors are in words from a million on, which 999,500 rounds to; below a thousand they have decimals.
func TestFactors(t *testing.T) {
	for v, want := range map[float64]string{0: "0.00 times", 2.5: "2.50 times", 999.99: "999.99 times",
		1000: "1,000 times", 86400: "86,400 times", 999_499: "999,499 times", 999_500: "1 million times",
		-2.5e9: "-2.5 billion times", 8.64e11: "864 billion times", 1e12: "1 trillion times",
		1e15: "1 quadrillion times", 1.5e18: "1.5 quintillion times"} {
		if got := FormatTimes(v); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{9999.4: "9999", 9999.5: "10k", 0.0001: "0.0001", 0.00009: "9.0e-05",
		-1e15: "-1.0e+15", 9.99e14: "999T", 999.5e6: "1G", 1e9: "1G", -1.5e12: "-1.5T", math.Inf(1): "inf"} {
		if got := FormatShort(v); got != want {
			t.Errorf("%g in short: %s, want %s", v, got, want)
		}
	}
}

// handmade matches a percentage in a format string: a number without a blank before its sign, or with its own digits.
var handmade = regexp.MustCompile(`%[-+ #0-9.*]*(d%%|[feEgG] ?%%)`)

// All packages write percentages with this package's functions. Only integers may be in a format, with a blank.
func TestPercentagesOfAllPackages(t *testing.T) {
	for format, bad := range map[string]bool{"%d%%": true, "%.1f %%": true, "%.2g%%": true, "%+5.1f %%": true,
		"%d %%": false, "50%%": false, "%s": false} {
		if handmade.MatchString(format) != bad {
			t.Errorf("%q: matched %v, want %v", format, !bad, bad)
		}
	}
	files := 0
	for _, dir := range []string{"cli", "insight", "prv", "render", "semantic", "sim", "tui"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING && handmade.MatchString(s.Value) {
					t.Errorf("%s: %s: use FormatPercent, FormatChange or FormatValue", set.Position(s.Pos()), s.Value)
				}
				if sum, ok := n.(*ast.BinaryExpr); ok && file.Name.Name != "quantity" {
					if s, ok := sum.Y.(*ast.BasicLit); ok && s.Value == `" %"` {
						t.Errorf("%s: use FormatPercent, FormatChange or FormatValue", set.Position(s.Pos()))
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("%d files were read", files)
	}
}

func TestFormatGrouped(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{0, 0, "0"}, {999, 0, "999"}, {-999, 0, "-999"}, {1000, 0, "1,000"}, {-1000, 0, "-1,000"},
		{999999, 2, "999,999.00"}, {1234567.891, 2, "1,234,567.89"}, {-12345.5, -1, "-12,345.5"}, {0.125, -1, "0.125"},
		{math.Inf(1), -1, "inf"}, {math.Inf(-1), 2, "-inf"}, {math.NaN(), -1, "NaN"},
	} {
		if got := FormatGrouped(c.v, c.decimals); got != c.want {
			t.Errorf("FormatGrouped(%v, %d) = %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
}

func TestTimes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 times", 1: "once", 2: "2 times", 38942: "38,942 times"} {
		if got := Times(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
