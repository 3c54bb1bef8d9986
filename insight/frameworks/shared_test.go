package frameworks

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"pview/prv"
)

func TestTry(t *testing.T) {
	for _, n := range []string{"masterworker_8/masterworker_8.prv", "pipeline_8/pipeline_8.prv"} {
		tr, err := prv.Open(context.Background(), "/work/shared/traces/"+n, prv.Options{})
		if err != nil {
			t.Log(err)
			continue
		}
		r, err := Analyse(context.Background(), tr, Options{Free: -1, Simulate: true})
		if err != nil {
			t.Error(n, err)
			continue
		}
		for _, p := range r.Parameters {
			fmt.Printf("%s %s = %.6g %s (%s, %d, sd %.4g) %s\n", p.Name, p.Symbol, p.Value.Value, p.Unit, p.Origin, p.Samples, p.Spread, p.Note)
		}
		b, _ := json.MarshalIndent(struct {
			A any
			W any
			V any
			S any
			Ref any
		}{r.Advice, r.Warnings, r.Verdict, r.Structure, r.Scores}, "", " ")
		fmt.Println(string(b))
		if r.Farm != nil {
			f := r.Farm
			fmt.Println("n", f.Workers, "it", f.Iterations, "chunks", f.Chunks, "meas", f.Measured, "pred", f.Predicted, "series", f.Series, "idle", f.Idle, "bal", f.Balance, f.Regime, f.Limit, f.Fastest, f.Worth, "unanswered", f.Unanswered, f.Steering)
			for _, p := range f.Policies {
				fmt.Println(p.Policy, p.Factor, p.Time, p.Messages, p.Over)
			}
		}
		if r.Pipeline != nil {
			for _, s := range r.Pipeline.Stages {
				fmt.Printf("%+v\n", s)
			}
			fmt.Printf("obs %v pred %v steps %v groups %v\n", r.Pipeline.Observed, r.Pipeline.Predicted, r.Pipeline.Steps, r.Pipeline.Groups)
		}
	}
}
