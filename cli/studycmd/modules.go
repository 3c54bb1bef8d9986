package studycmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/render/document"
	"pview/sim/study"
)

// modules ranks the blocks of the program by the time that a speedup of each would save.
func modules(a *command.App) *cobra.Command {
	q := &modulesQuestion{studyFlags: studyFlags{App: a}}
	cmd := &cobra.Command{
		Use:   "modules TRACE",
		Short: "Rank the blocks of the program that are worth making faster",
		Long: "modules simulates the run once for each block of the program (user functions, or the values of the event types in --blocks), with the " +
			"computation in that block --factor times faster, and ranks the blocks by the time that the run saves. Nested blocks keep their speed. The yield is the ratio of " +
			"the time saved by the run to the average time saved by a thread: 1 when all threads gain alike, 0 when nobody waited for the block, more when few threads compute it and the others wait.",
		Example: "pview study modules run.prv\n" +
			"pview study modules run.prv --machine cluster.cfg --factor 1.5 --top 10\n" +
			"pview study modules run.prv --blocks 1000 --format tsv",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompletePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Float64Var(&q.factor, "factor", 2, "speedup of a block; below 1: slower")
	f.UintSliceVar(&q.blocks, "blocks", nil,
		"event `TYPES` whose values are blocks of the program, instead of user functions")
	f.IntVar(&q.top, "top", 20, "the `N` blocks with the most computation; 0: all")
	q.flags(f)
	return cmd
}

// modulesQuestion is the command's flags.
type modulesQuestion struct {
	studyFlags
	factor float64
	blocks []uint
	top    int
}

func (q *modulesQuestion) run(ctx context.Context, path string) error {
	if !(q.factor > 0) || q.factor > 1e6 {
		return command.Usagef("--factor %g: must be > 0 and <= 1000000", q.factor)
	}
	types, err := command.EventTypes(q.blocks, study.DefaultBlocks)
	if err != nil {
		return err
	}
	opt := q.options("modules", "simulating "+path)
	src, s, err := q.subject(ctx, path)
	if err != nil {
		return err
	}
	blocks, outside := study.BlocksOf(s.Program, types)
	if len(blocks) == 0 {
		return fmt.Errorf("%s: no computation within blocks of event types %s; --blocks names others: %w", path,
			strings.Trim(strings.Join(strings.Fields(fmt.Sprint(types)), ", "), "[]"), command.ErrNothing)
	}
	all := len(blocks)
	if q.top > 0 && all > q.top {
		blocks = blocks[:q.top]
	}
	gains, base, err := study.Faster(ctx, s, blocks, q.factor, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	computed := s.Program.Computation()
	out := gainTable(labels(src), gains, base, computed)
	text := fmt.Sprintf("%s: %s; %s outside all blocks\n", prv.Clean(path),
		command.Duration(base.Total, prv.Nanoseconds),
		command.Percent(outside, computed)+" of the computation")
	if n := all - len(blocks); n > 0 {
		text += fmt.Sprintf("The %d blocks with the most computation, of %d (--top 0 takes all)\n", len(blocks), all)
	}
	answer := command.Passage{Text: text + fmt.Sprintf("\nIf one block computed %g times as fast:\n\n", q.factor),
		Table: out}
	if err := q.writePage(q.done[0].plan, q.done[0].table, []command.Passage{answer}); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, studyObject(q.done[0].plan, q.done[0].table,
			command.Field{Key: "blocks", Value: out.Objects()}))
	case "tsv", "csv":
		return document.WriteTable(q.Out, out, q.Format.Value)
	}
	return q.PrintAnswer(answer)
}

// gainTable has a line for each block.
func gainTable(labels *prv.Labels, gains []study.Gain, base study.Figures, computed float64) *command.Table {
	share := func(v any) string { return command.Percent(v.(float64), 1) }
	out := &command.Table{Columns: []command.Column{{Key: "block", Title: "Block"}, {Key: "type", Show: command.Unseen},
		{Key: "value", Show: command.Unseen},
		{Key: "computation", Title: "Computes", Show: share},
		{Key: "time_ns", Title: "Run takes", Show: command.AsDuration},
		{Key: "saved", Title: "Saves", Show: share}, {Key: "yield", Title: "Yield", Show: command.Decimals(2)}}}
	for i := range gains {
		g := &gains[i]
		out.Add(labels.ValueName(g.Type, g.Value), int64(g.Type), g.Value, g.Computation/max(computed, 1), g.Total,
			g.Saved, g.Yield)
	}
	return out
}

// labels are those of the trace that a program comes from; of a .dim there are none.
func labels(s *command.Source) *prv.Labels {
	if s.Trace == nil {
		return &prv.Labels{}
	}
	return s.Trace.Labels
}
