package terminal

import (
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
	Candidate string `arg:"" help:"Id of the candidate (cu_…)."`
	State     string `arg:"" enum:"on,off" help:"on or off."`
}

// Run shows the opt-in.
func (f fastTrackShow) Run(c *call) error {
	return printFastTrack(c, func(api *client.Client) (contract.FastTrack, error) {
		ctx, stop := interruptible()
		defer stop()
		return api.FastTrack(ctx, f.Candidate)
	})
}

// Run sets the opt-in.
func (f fastTrackSet) Run(c *call) error {
	return printFastTrack(c, func(api *client.Client) (contract.FastTrack, error) {
		ctx, stop := interruptible()
		defer stop()
		return api.SetFastTrack(ctx, f.Candidate, f.State == "on")
	})
}

func printFastTrack(c *call, ask func(*client.Client) (contract.FastTrack, error)) error {
	api, err := c.agencyClient()
	if err != nil {
		return err
	}
	out, err := ask(api)
	if err != nil {
		return explain(err)
	}
	state := map[bool]string{true: "on", false: "off"}[out.FastTrack]
	if out.FastTrack && out.OffMarket {
		state = "on, once the candidate is back on the market"
	}
	return printOne(c, out, [2]string{"candidate", out.CandidateUserID}, [2]string{"fast track", state})
}
