package store_test

import (
	"strings"

	"pview/prv"
	"pview/prv/model"
	"pview/prv/store"
)

func init() {
	store.SetHooks(prv.Read, func(text string) (h model.Header, lines int64, err error) {
		t, err := prv.NewText(strings.NewReader(text), prv.Options{Size: int64(len(text))})
		if err != nil {
			return h, 0, err
		}
		return t.Header, t.HeaderLines(), nil
	})
}
