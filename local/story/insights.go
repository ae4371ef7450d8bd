package story

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs/types"
	"github.com/google/uuid"
)

// Insights searches the log groups of a deployed stage with CloudWatch Logs Insights, which bills
// what it reads: 0.005 dollars a GB.
type Insights struct {
	Client *cloudwatchlogs.Client
	Stage  string
	// From and To are the time in which lines are searched.
	From, To time.Time
	// Wait pauses between two looks at a running query.
	Wait func(context.Context, time.Duration) error
}

// maxLines is the most lines that a query returns.
const maxLines = 10_000

// SearchPeriod returns the time in which the story of a request can have lines: an hour is left
// for clocks that differ, and a day is more than a submission lives. The id is a UUID v7.
func SearchPeriod(requestID string) (from, to time.Time, err error) {
	id, err := uuid.Parse(requestID)
	if err != nil || id.Version() != 7 {
		return from, to, fmt.Errorf("%q is no X-Request-Id of this API", requestID)
	}
	at := time.Unix(id.Time().UnixTime()).UTC().Truncate(time.Second)
	return at.Add(-time.Hour), at.Add(24 * time.Hour), nil
}

// plainValue is what may stand in a query between quotes.
var plainValue = regexp.MustCompile(`^[0-9A-Za-z._-]+$`)

// query returns the text of the query for the lines that match. The prefixes name the groups of
// all functions, and that of the container.
func (s Insights) query(m Match) (string, error) {
	var terms []string
	for _, term := range []struct{ field, value string }{{"request_id", m.RequestID}, {"trace_id", m.TraceID}, {"batch", m.Batch}} {
		if term.value == "" {
			continue
		}
		if !plainValue.MatchString(term.value) {
			return "", fmt.Errorf("%s cannot be searched for: %q", term.field, term.value)
		}
		terms = append(terms, fmt.Sprintf(`%s = "%s"`, term.field, term.value))
	}
	return fmt.Sprintf(`SOURCE logGroups(namePrefix: ['/aws/lambda/rmk-%[1]s-', '/rmk/%[1]s/'])
| fields @message
| filter %[2]s
| sort @timestamp asc
| limit %[3]d`, s.Stage, strings.Join(terms, " or "), maxLines), nil
}

// Search returns the lines that match. It waits for the query to end.
func (s Insights) Search(ctx context.Context, m Match) ([]Line, error) {
	query, err := s.query(m)
	if err != nil {
		return nil, err
	}
	started, err := s.Client.StartQuery(ctx, &cloudwatchlogs.StartQueryInput{
		QueryString: &query, StartTime: aws.Int64(s.From.Unix()), EndTime: aws.Int64(s.To.Unix()),
	})
	if err != nil {
		return nil, err
	}
	for {
		out, err := s.Client.GetQueryResults(ctx, &cloudwatchlogs.GetQueryResultsInput{QueryId: started.QueryId})
		if err != nil {
			return nil, err
		}
		switch out.Status {
		case types.QueryStatusComplete:
			return readResults(out.Results), nil
		case types.QueryStatusScheduled, types.QueryStatusRunning:
			if err := s.Wait(ctx, time.Second); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("the query ended as %s", out.Status)
		}
	}
}

func readResults(rows [][]types.ResultField) (all []Line) {
	for _, row := range rows {
		for _, field := range row {
			if aws.ToString(field.Field) != "@message" {
				continue
			}
			if l, ok := parseLine(aws.ToString(field.Value)); ok {
				all = append(all, l)
			}
		}
	}
	return all
}
