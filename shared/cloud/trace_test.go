package cloud_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

const sampleTrace = "1-5759e988-bd862e3fe1be46a994272793"

func TestReadTrace(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"Root=" + sampleTrace: sampleTrace,
		"Self=1-67891234-12456789abcdef012345678;Root=" + sampleTrace:        sampleTrace,
		"Root=" + sampleTrace + ";Parent=53995c3f42cd8ad8;Sampled=1;Lineage": sampleTrace,
		"":                                    "",
		"Root=ada@example.com":                "",
		"Root=" + sampleTrace + "0":           "",
		"Parent=1-5759e988;Sampled=" + "Root": "",
	} {
		if got := cloud.ReadTrace(header); got != want {
			t.Errorf("ReadTrace(%q) = %q, want %q", header, got, want)
		}
	}
	for header, want := range map[string]string{
		"00-5759e988bd862e3fe1be46a994272793-53995c3f42cd8ad8-01": sampleTrace, "": "", "00-5759e988-53995c3f42cd8ad8-01": "",
	} {
		if got := cloud.ReadTraceParent(header); got != want {
			t.Errorf("ReadTraceParent(%q) = %q, want %q", header, got, want)
		}
	}
}

// invocationContext has a trace header as Lambda's runtime sets it.
type invocationContext struct {
	context.Context
	header string
}

// Value implements context.Context.
func (i invocationContext) Value(key any) any {
	if key == any("x-amzn-trace-id") {
		return i.header
	}
	return i.Context.Value(key)
}

// A request has the trace of its invocation, else that of its header, else one of its own time
// and id.
func TestRequestTrace(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("019ac000-0000-7000-8000-00000000abcd")
	now := time.Unix(0x5759e988, 0)
	invocation := invocationContext{t.Context(), "Root=1-00000001-000000000000000000000001;Parent=53995c3f42cd8ad8;Sampled=0"}
	for _, tt := range []struct {
		ctx          context.Context
		header, want string
	}{
		{invocation, "Root=" + sampleTrace, "1-00000001-000000000000000000000001"},
		{t.Context(), "Root=" + sampleTrace, sampleTrace},
		{t.Context(), "Root=someone", "1-5759e988-00007000800000000000abcd"},
	} {
		if got := cloud.TraceOf(cloud.WithRequestTrace(tt.ctx, tt.header, now, id)); got != tt.want {
			t.Errorf("with header %q: got %q, want %q", tt.header, got, tt.want)
		}
	}
}

// Every line of a traced unit of work has its trace id, also the one in metric format.
func TestLinesHaveTheTrace(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	host := cloud.NewHost(func(string) string { return "" }, time.Now, cloud.NewLog(&out, "ingest"))
	ctx := cloud.Metered(cloud.WithTrace(t.Context(), sampleTrace))
	host.Log.With(slog.String("a", "b")).InfoContext(ctx, "on the way")
	host.Log.InfoContext(cloud.Finished(ctx), "ingest")
	host.Log.InfoContext(t.Context(), "untraced")
	if got := strings.Count(out.String(), `"trace_id":"`+sampleTrace+`"`); got != 2 || !strings.Contains(out.String(), `"msg":"untraced"}`) {
		t.Errorf("%d lines have the trace, want 2:\n%s", got, out.String())
	}
}
