package system_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// When a call of AWS fails, the log line of the request, item or event names the call, its table and the store's
// method. No line has an e-mail address.
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
		line, cause     string // parts of the log line
	}{
		{
			"submit", "TransactWriteItems", func() { submit("fault") },
			`"operation":"submitCandidate"`, "submission.Accept: operation error DynamoDB: TransactWriteItems, table submissions-",
		},
		{
			"roles list", "BatchGetItem", func() { s.sendRequest("GET", "/recruiter/roles", recruiter, nil) },
			`"operation":"listRoles"`, "account.Standing(recruiterID, guess): operation error DynamoDB: BatchGetItem, table accounts-",
		},
		{
			"ingest", "TransactWriteItems", func() { s.deliverMessage(stored[0]) },
			`"msg":"ingest: no claim"`, "submission.Claim(message): operation error DynamoDB: TransactWriteItems, table submissions-",
		},
		{
			"feed", "TransactWriteItems", func() {
				message := events.SQSMessage{MessageId: "1", Body: s.newErasure("erasure-1", priya.email)}
				_, _ = s.Feed(t.Context(), events.SQSEvent{Records: []events.SQSMessage{message}})
			},
			`"msg":"feed"`, "submission.Erase: operation error DynamoDB: TransactWriteItems, table changes-",
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
		if !strings.Contains(line, c.line) || !strings.Contains(line, c.cause) {
			t.Errorf("%s: the line lacks %s or %s", c.name, c.line, c.cause)
		}
	}
	if strings.Contains(log.String(), priya.email) {
		t.Error("the log has an e-mail address")
	}
}
