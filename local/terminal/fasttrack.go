package terminal

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type fastTrackCommands struct {
	Show fastTrackShow `cmd:"" default:"withargs" help:"Show whether a candidate is opted in."`
	Set  fastTrackSet  `cmd:"" help:"Opt a candidate of the key's creator in or out."`
}

type fastTrackShow struct {
	Candidate string `arg:"" help:"Id of the candidate (cu_…)."`
}

type fastTrackSet struct {
	fastTrackShow
	State string `arg:"" enum:"on,off" help:"on or off."`
}

// Run shows the opt-in.
func (f fastTrackShow) Run(ctx context.Context, c *call, api *client.Client) error {
	out, err := api.FastTrack(ctx, f.Candidate)
	return printFastTrack(c, out, err)
}

// Run sets the opt-in.
func (f fastTrackSet) Run(ctx context.Context, c *call, api *client.Client) error {
	out, err := api.SetFastTrack(ctx, f.Candidate, f.State == "on")
	return printFastTrack(c, out, err)
}

func printFastTrack(c *call, out contract.FastTrack, err error) error {
	if err != nil {
		return explain(err)
	}
	state := map[bool]string{true: "on", false: "off"}[out.FastTrack]
	if out.FastTrack && out.OffMarket {
		state = "on, once the candidate is back on the market"
	}
	return printOne(c, out, [2]string{"candidate", out.CandidateUserID}, [2]string{"fast track", state})
}
