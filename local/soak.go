package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/recruiting-marketplace/external-api/local/lab/soak"
)

// soakCommand runs the checks of package soak.
type soakCommand struct {
	Parts []string `arg:"" optional:"" name:"part" help:"Parts: ${parts} (default: all)."`
	Scale float64  `default:"1" help:"Size of each part, as a fraction of its full size."`
}

// Validate returns an error for a part that does not exist and for a scale that is not allowed.
func (c soakCommand) Validate() error {
	for _, name := range c.Parts {
		if !slices.Contains(soak.Parts, name) {
			return fmt.Errorf("there is no part %q: choose among %s", name, strings.Join(soak.Parts, ", "))
		}
	}
	if c.Scale <= 0 || c.Scale > 1 {
		return fmt.Errorf("--scale must be above 0 and at most 1, not %v", c.Scale)
	}
	return nil
}

// Run runs the parts and fails if one of them does.
func (c soakCommand) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return soak.Run(ctx, soak.Options{Out: os.Stdout, Program: program, Scale: c.Scale}, c.Parts)
}
