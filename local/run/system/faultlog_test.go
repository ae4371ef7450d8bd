package system_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// costOfLine is the end of the line of an invocation: what it cost, and where CloudWatch finds that in the line.
const costOfLine = `"calls":0,"read_units":0,"write_units":0,"cold":0,"function":"local","_aws":{"Timestamp":0,"CloudWatchMetrics":[` +
	`{"Namespace":"rmk","Dimensions":[["function"]],"Metrics":[{"Name":"read_units","Unit":"Count"},` +
	`{"Name":"write_units","Unit":"Count"},{"Name":"cold","Unit":"Count"}]}]}}`

var (
	variableTexts   = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|key_[\dA-Z]{26}`)
	variableNumbers = regexp.MustCompile(`("(?:ms|calls|read_units|write_units|cold|Timestamp)":)[\d.]+`)
)

// maskVariable replaces what differs between runs in a log line: times and ids by …, figures by 0.
func maskVariable(line string) string {
	return variableNumbers.ReplaceAllString(variableTexts.ReplaceAllString(strings.TrimSpace(line), "…"), "${1}0")
}

// When a call of AWS fails, the whole log line of the request, item or event is as expected: it names the call, its table or
// bucket, the store's method and the kinds of its ids. No line has an e-mail address.
func TestTheLineOfAFaultNamesCallTableAndSteps(t *testing.T) {
	t.Parallel()
	s := newClosedSystem(t, nil)
	log := &logBuffer{}
	faults := &faultInjector{}
	s.Host.Log = cloud.NewLog(log, "local")
	s.Functions = openFunctions(t, s.hookedHost(faults.Hook))
	s.serve()
	agency := s.newAgencyClient()
	recruiter := s.newRecruiterKey(demo.OwnerID)
	submit := func(slug string) { _, _ = agency.Submit(t.Context(), newSubmitRequest(t, priya, slug)) }
	submit("stored")
	stored := s.takeMessages()

	for _, c := range []struct {
		name, operation string // the operation of AWS that fails
		run             func()
		want            string
	}{
		{
			"submit", "TransactWriteItems", func() { submit("fault") },
			`{"time":"…","level":"ERROR","msg":"request","request_id":"…","client_request_id":"","client_trace_id":"","version":"test",` +
				`"method":"POST","status":500,"ms":0,"key_id":"…","environment":"test","operation":"submitCandidate",` +
				`"route":"/talent-network/candidates/submit","batch":"…","code":"","cause":"submission.Accept(batchID): ` +
				`operation error DynamoDB: TransactWriteItems, table submissions-…: a test failed the call",` + costOfLine,
		},
		{
			"submit's file", "PutObject", func() { submit("file") },
			`{"time":"…","level":"ERROR","msg":"request","request_id":"…","client_request_id":"","client_trace_id":"","version":"test",` +
				`"method":"POST","status":500,"ms":0,"key_id":"…","environment":"test","operation":"submitCandidate",` +
				`"route":"/talent-network/candidates/submit","batch":"…","code":"","cause":"objectstore.Put(key): ` +
				`operation error S3: PutObject, bucket resumes-…: a test failed the call",` + costOfLine,
		},
		{
			"roles list", "BatchGetItem", func() { s.sendRequest("GET", "/recruiter/roles", recruiter, nil) },
			`{"time":"…","level":"ERROR","msg":"request","request_id":"…","client_request_id":"","client_trace_id":"","version":"test",` +
				`"method":"GET","status":500,"ms":0,"key_id":"…","environment":"test","operation":"listRoles",` +
				`"route":"/recruiter/roles","code":"","cause":"account.Standing(recruiterID, guess): ` +
				`operation error DynamoDB: BatchGetItem, table accounts-…: a test failed the call",` + costOfLine,
		},
		{
			"ingest", "TransactWriteItems", func() { s.deliverMessage(stored[0]) },
			`{"time":"…","level":"ERROR","msg":"ingest: no claim","message":"…","error":"submission.Claim(message): ` +
				`operation error DynamoDB: TransactWriteItems, table submissions-…: a test failed the call"}`,
		},
		{
			"feed", "TransactWriteItems", func() {
				message := events.SQSMessage{MessageId: "1", Body: s.newErasure("erasure-1", priya.email)}
				_, _ = s.Feed(t.Context(), events.SQSEvent{Records: []events.SQSMessage{message}})
			},
			`{"time":"…","level":"WARN","msg":"feed","event":"…","type":"person.erased","version":1,"refused":false,"ms":0,` +
				`"cause":"feed.applyErasure(hashes): submission.Erase(person): ` +
				`operation error DynamoDB: TransactWriteItems, table changes-…+submissions-…: a test failed the call",` + costOfLine,
		},
	} {
		faults.injectAt(func(call cloud.Call) bool { return call.Operation == c.operation }, callFaults["fails before"])
		before := len(log.String())
		c.run()
		if faults.isPending() {
			t.Errorf("%s: made no %s", c.name, c.operation)
		}
		line := lineWith(log.String()[before:], errFinal.Error())
		t.Logf("%s: %s", c.name, line)
		if got := maskVariable(line); got != c.want {
			t.Errorf("%s: the line is\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if strings.Contains(log.String(), priya.email) {
		t.Error("the log has an e-mail address")
	}
}
