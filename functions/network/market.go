package network

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// OffMarket serves POST /talent-network/candidates/off-market.
func (s *Service) OffMarket(ctx context.Context, call *gateway.Call, in contract.MarketRequest) (contract.MarketResponse, error) {
	search := s.network.Search(call.Caller.Tenant(), newReferences(in.Candidates))
	outcomes, err := s.network.OffMarket(ctx, search, s.newManagedOwners(call).check, newWrite(call))
	return marketResults(outcomes, offMarketResults), err
}

// ReEnable serves POST /talent-network/candidates/re-enable.
func (s *Service) ReEnable(ctx context.Context, call *gateway.Call, in contract.MarketRequest) (contract.MarketResponse, error) {
	search := s.network.Search(call.Caller.Tenant(), newReferences(in.Candidates))
	outcomes, err := s.network.ReEnable(ctx, search, s.newOwners(call, true).check, newWrite(call))
	return marketResults(outcomes, reEnableResults), err
}

// resultMessages has a message for each outcome: empty if it is what was asked for, and
// else the reason why not.
type resultMessages map[contract.ResultStatus]string

var (
	offMarketResults = resultMessages{
		contract.ResultOffMarket: "", contract.ResultAlreadyOffMarket: "", contract.ResultPreExcluded: "",
		contract.ResultNotFound: notFound,
	}
	reEnableResults = resultMessages{
		contract.ResultOnMarket: "", contract.ResultAlreadyOnMarket: "",
		contract.ResultPreExcluded: "The person is pre-excluded. Submit the candidate again to restore them.",
		contract.ResultLocked:      "The candidate is locked in the app and cannot be changed here.",
		contract.ResultNotFound:    notFound,
	}
)

func marketResults(outcomes []network.Outcome, means resultMessages) (out contract.MarketResponse) {
	for i, o := range outcomes {
		message := means[o.Status]
		out.Results = append(out.Results, contract.MarketResult{
			Result:           contract.Result{Index: i, OK: message == "", Status: o.Status, Message: message},
			CandidateUserIDs: o.IDs,
		})
	}
	return out
}
