package client

import (
	"context"
	"encoding/json"
	"fmt"
)

// Send sends an operation of the table of routes and returns the JSON of the response. in is a value
// of the route's input type; nil if it has none. Send retries as the methods of single operations do.
func (c *Client) Send(ctx context.Context, operation string, in any) (json.RawMessage, error) {
	return callFor[json.RawMessage](ctx, c, operation, in)
}

// Reference returns the reference of the API in Markdown. It needs no key.
func (c *Client) Reference(ctx context.Context) (string, error) {
	m, err := c.newMessage("docsMarkdown", nil)
	if err != nil {
		return "", fmt.Errorf("docsMarkdown: %w", err)
	}
	text, _, err := c.sendOnce(ctx, m)
	return string(text), err
}
