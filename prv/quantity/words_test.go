package quantity

import (
	"math"
	"testing"

	"pview/prv"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		FormatCount(0):                            "0",
		FormatCount(-1234567):                     "-1,234,567",
		FormatCount(999):                          "999",
		FormatCount(math.MinInt64):                "-9,223,372,036,854,775,808",
		FormatExact(12034567891, prv.Nanoseconds): "12,034,567,891 ns",
		FormatValue(1234567, "B"):                 "1,234,567 B",
		FormatValue(1<<53-1, ""):                  "9,007,199,254,740,991",
		FormatValue(0.125, "us"):                  "0.125 us",
		FormatValue(12345.678, ""):                "12,345.7",
		FormatValue(-12345.678, ""):               "-12,345.7",
		FormatValue(1e-9, ""):                     "1e-09",
		FormatValue(1.5e300, ""):                  "1.5e+300",
		FormatValue(math.Inf(-1), ""):             "-inf",
		FormatValue(math.NaN(), ""):               "NaN",
		CountOf(1, "row"):                         "1 row",
		CountOf(0, "row"):                         "0 rows",
		CountOf(71268, "row"):                     "71,268 rows",
		FormatPercent(23, 100):                    "23.0 %",
		FormatPercent(1, 0):                       "",
		FormatDifference(-20e3, prv.Nanoseconds):  "-20 us",
		FormatDifference(0, prv.Nanoseconds):      "+0 ns",
		FormatSpan(0.5, prv.Nanoseconds):          "0.5 ns",
		FormatSpan(1500.4, prv.Nanoseconds):       "1.5 us",
		FormatSpan(12, prv.Nanoseconds):           "12 ns",
		FormatShort(0):                            "0",
		FormatShort(1234567):                      "1.23M",
		FormatShort(9999.9):                       "10k",
		FormatShort(5000):                         "5000",
		FormatShort(999_950):                      "1M",
		FormatShort(0.05):                         "0.05",
		FormatShort(-2.5e9):                       "-2.5G",
		FormatShort(3e18):                         "3.0e+18",
		FormatShare(0):                            "0 %",
		FormatShare(0.00001):                      "<0.1 %",
		FormatShare(0.052):                        "5.2 %",
		FormatShare(0.9999):                       "100 %",
		FormatShare(0.45):                         "45 %",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
