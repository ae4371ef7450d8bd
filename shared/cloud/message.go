package cloud

// Message is a message to send with package messaging.
type Message struct {
	Body string
	// Group is the tenant of the message, as 1 to 128 printable ASCII characters without
	// spaces. While messages of one tenant pile up, SQS delivers those of the others first
	// (fair queues). A message without a group counts as a tenant of its own.
	Group string
	// Trace is the trace id of the request that the message belongs to; "" is that of the
	// context in which it is sent.
	Trace string
}
