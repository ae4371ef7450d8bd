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
	return digest(program, started)
}

// digest returns the beginning of a hash, long enough to distinguish versions.
func digest(parts ...[]byte) string {
	hash := sha256.New()
	for _, p := range parts {
		hash.Write(p)
	}
	return hex.EncodeToString(hash.Sum(nil)[:6])
}

// serviceGeneration returns a text that changes with the outputs of the service that the edge reads.
// CloudFormation reads them only when it deploys a template that differs.
func (d *deployment) serviceGeneration() string {
	if d.stage.Generation == "" {
		return "unknown"
	}
	return d.stage.Generation
}

// setVersion adds the version to the environment of a function.
func (d *deployment) setVersion(f topology.Function, environment map[string]*string) {
	d.versions[f.Name] = d.versionOf(f, environment)
	environment[topology.SettingVersion] = new(d.versions[f.Name])
}
