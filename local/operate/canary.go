package operate

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/canary"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Canary runs the service of the canary function once, on the deployment at CANARY_URL
// with the keys CANARY_AGENCY_KEY and CANARY_RECRUITER_KEY. Without CANARY_URL that is the running local system, with
// its keys in place of those that are not set. A deployment gets no key of the local system.
type Canary struct {
	Limit time.Duration `default:"4m" help:"Fail after this time."`
}

// Run prints how long a passed run took. The error of a failed one names its step.
func (c Canary) Run() error {
	var local map[string]string
	url := os.Getenv(topology.SettingCanaryURL)
	if url == "" {
		var err error
		local, err = envfile.Read(filepath.Join(envfile.DataDir(), "env"))
		if err != nil {
			return fmt.Errorf("read the keys of the start: %w", err)
		}
		url = local["BASE_URL"]
	}
	settings := map[string]string{
		topology.SettingCanaryURL:          url,
		topology.SettingCanaryAgencyKey:    cmp.Or(os.Getenv(topology.SettingCanaryAgencyKey), local["AGENCY_KEY"]),
		topology.SettingCanaryRecruiterKey: cmp.Or(os.Getenv(topology.SettingCanaryRecruiterKey), local["RECRUITER_KEY"]),
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Limit)
	defer cancel()
	service, err := canary.New(ctx, cloud.NewHost(func(name string) string { return settings[name] }, time.Now, slog.New(slog.DiscardHandler)))
	if err != nil {
		return fmt.Errorf("%w: set them, or start a local system; start it with make run", err)
	}
	begun := time.Now()
	if err := service.Run(ctx); err != nil {
		return err
	}
	fmt.Printf("passed in %.1f s\n", time.Since(begun).Seconds())
	return nil
}
