package terminal

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/local/terminal/mcp"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

type mcpCommand struct {
	Write bool     `help:"Also offer tools that change data."`
	Allow []string `type:"existingdir" placeholder:"DIR" help:"Directory whose files may be sent as resumes. Repeatable."`
	HTTP  string   `name:"http" placeholder:"ADDRESS" help:"Serve streamable HTTP on this address of the machine, such as 127.0.0.1:7801, instead of standard input and output."`
}

// Run serves until the assistant ends the session, or until Ctrl-C.
func (m mcpCommand) Run(ctx context.Context, c *call, lookUp variables) error {
	var clients []*client.Client
	for _, variable := range []string{agencyVariable, recruiterVariable} {
		if lookUp(variable) == "" {
			continue
		}
		one, err := c.newClient(variable)
		if err != nil {
			return err
		}
		clients = append(clients, one)
	}
	if len(clients) == 0 {
		return fmt.Errorf("%s or %s is needed: %s", agencyVariable, recruiterVariable, c.adviseSettings())
	}
	server, err := mcp.New(ctx, mcp.Options{Clients: clients, Write: m.Write, Directories: m.Allow})
	if err != nil {
		return explain(err)
	}
	if m.HTTP == "" {
		if err := server.Run(ctx, &sdk.StdioTransport{}); ctx.Err() == nil {
			return err
		}
		return nil
	}
	listener, err := mcp.Listen(m.HTTP)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(c.messages, "serving http://%s/\n", listener.Addr())
	return mcp.ServeHTTP(ctx, listener, server)
}
