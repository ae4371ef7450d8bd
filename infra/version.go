package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// versionOf returns the version that a function reports. Platform reports the deployed commit, in
// /health. Every other reports a hash of its program and of its configuration, so that a
// release restarts only what it changes, and no two versions of a function in Lambda have the same.
// It panics if make build has not written the program.
func (d *deployment) versionOf(f topology.Function, environment map[string]*string) string {
	if f.Name == string(contract.Platform) {
		return d.stage.Version
	}
	program, err := os.ReadFile(d.code + "/" + f.Name + "/bootstrap")
	if err != nil {
		panic(err)
	}
	started, err := json.Marshal([]any{d.functionDescription(f), f.Memory, d.stack.Resolve(environment)})
	if err != nil {
		panic(err)
	}
	hash := sha256.Sum256(append(program, started...))
	return hex.EncodeToString(hash[:6]) // long enough to distinguish versions
}
