package main

import (
	"fmt"
	"os/exec"
	"strconv"
)

// searchModule is the module that compares search engines.
const searchModule = "shared/search/roleindex/bench"

// measureSearch measures row 9: the role index at three sizes, with changed roles laid over, and the
// other engines on the same roles and queries.
func measureSearch(b *bench) ([]figure, error) {
	results, err := b.runGo(goBench{module: ".", pkg: "./shared/search/catalogue", pattern: "^(BenchmarkSizes|BenchmarkChanged)$", time: "3x", env: deployed})
	if err != nil {
		return nil, err
	}
	var figures []figure
	for _, size := range []struct {
		roles int
		most  float64
	}{{10_000, 0.2}, {100_000, 0.7}, {1_000_000, 6}} {
		name := fmt.Sprintf("Sizes/%d", size.roles)
		figures = append(figures,
			figure{Row: 9, Name: fmt.Sprintf("search of %d roles, p99", size.roles), Unit: "ms CPU", Ours: lookUp(results, name, "p99-cpu-ms"), Goal: atMost(size.most)},
			figure{Row: 9, Name: fmt.Sprintf("search of %d roles, p50", size.roles), Unit: "ms CPU", Ours: lookUp(results, name, "p50-cpu-ms"), Note: "told"},
			figure{Row: 9, Name: fmt.Sprintf("%d roles: build", size.roles), Unit: "s CPU", Ours: lookUp(results, name, "build-cpu-s"), Note: "told"},
			figure{Row: 9, Name: fmt.Sprintf("%d roles: open", size.roles), Unit: "ms CPU", Ours: lookUp(results, name, "open-cpu-ms"), Note: "told"},
			figure{Row: 9, Name: fmt.Sprintf("%d roles: memory", size.roles), Unit: "MB", Ours: lookUp(results, name, "memory-MB"), Note: "told"})
	}
	plain := results["Changed/plain"]["p99-cpu-ms"]
	changed := results["Changed/searched"]["p99-cpu-ms"]
	figures = append(figures,
		figure{Row: 9, Name: "what 1,000 changes of 100,000 roles add to a search, p99", Unit: "ms CPU", Ours: []float64{changed - plain}, Goal: atMost(2)},
		figure{Row: 9, Name: "laying them over, p50", Unit: "ms CPU", Ours: lookUp(results, "Changed/laid-over", "p50-cpu-ms"), Goal: atMost(2)})
	others, err := b.compareEngines()
	return append(figures, others...), err
}

// comparedRoles is the number of roles on which engines are compared.
const comparedRoles = 10_000

// compareEngines runs the search module, with OpenSearch if Java is installed.
func (b *bench) compareEngines() ([]figure, error) {
	args := []string{"-C", searchModule, "test", "-mod=mod", "-run=^$", "-bench=^BenchmarkRoles$", "-benchtime=1x", "-timeout=20m"}
	if b.overlay != "" {
		args = append(args, b.overlay)
	}
	command := append([]string{"go"}, args...)
	if _, err := exec.LookPath("mvn"); err == nil {
		command = append([]string{".ci/opensearch"}, command...)
	}
	out, err := b.run(b.command(".", []string{"ROLES=" + strconv.Itoa(comparedRoles)}, command[0], append(command[1:], ".")...))
	if err != nil {
		return nil, err
	}
	m := parseResults(out)
	var figures []figure
	ours := lookUp(m, "Roles", "embedded-cpu-ms/query")
	for _, engine := range []string{"bleve", "OpenSearch"} {
		figures = append(figures, figure{
			Row: 9, Name: fmt.Sprintf("search of %d roles, mean", comparedRoles), Unit: "ms CPU", Ours: ours,
			Peer: engine, Theirs: lookUp(m, "Roles", engine+"-cpu-ms/query"), Goal: ratioAtMost(0.125),
		})
	}
	for _, engine := range []string{"bleve", "OpenSearch"} {
		figures = append(figures,
			figure{Row: 9, Name: fmt.Sprintf("recall of %d roles, one typo", comparedRoles), Unit: "", Ours: lookUp(m, "Roles", "embedded-recall"), Peer: engine, Theirs: lookUp(m, "Roles", engine+"-recall"), Note: "≥ 0.93, tested"})
	}
	return figures, nil
}

// measureRecommendation measures row 10.
func measureRecommendation(b *bench) ([]figure, error) {
	results, err := b.runGo(goBench{module: ".", pkg: "./shared/search/recommend", pattern: "^BenchmarkRank$", time: "5x", env: deployed})
	var figures []figure
	for _, size := range []struct {
		roles int
		most  float64
	}{{10_000, 0.5}, {100_000, 4}, {1_000_000, 40}} {
		name := fmt.Sprintf("Rank/%d", size.roles)
		figures = append(figures,
			figure{Row: 10, Name: fmt.Sprintf("recommendation of %d roles, p99", size.roles), Unit: "ms CPU", Ours: lookUp(results, name, "p99-cpu-ms"), Goal: atMost(size.most)},
			figure{Row: 10, Name: fmt.Sprintf("recommendation of %d roles, p50", size.roles), Unit: "ms CPU", Ours: lookUp(results, name, "p50-cpu-ms"), Note: "told"})
	}
	return figures, err
}

// measureCRM measures row 11: searches of CRMs of several sizes.
func measureCRM(b *bench) ([]figure, error) {
	results, err := b.runGo(goBench{module: ".", pkg: "./functions/crm", pattern: "^BenchmarkCandidates$/^search_", time: "30x", env: deployed})
	var figures []figure
	for _, size := range []int{99, 300, 999, 5000, 20_000, 50_000, 100_000} {
		warm := fmt.Sprintf("Candidates/search_of_%d,_cold_false", size)
		cold := fmt.Sprintf("Candidates/search_of_%d,_cold_true", size)
		if results[warm] == nil {
			continue // CANDIDATES is the largest size
		}
		figures = append(figures,
			figure{Row: 11, Name: fmt.Sprintf("search of %d candidates, warm", size), Unit: "ms CPU", Ours: lookUp(results, warm, "cpu-ms"), Goal: atMost(6)},
			figure{Row: 11, Name: fmt.Sprintf("search of %d candidates, cold", size), Unit: "ms CPU", Ours: lookUp(results, cold, "cpu-ms"), Goal: atMost(20)},
			figure{Row: 11, Name: fmt.Sprintf("search of %d candidates, warm", size), Unit: "waves", Ours: lookUp(results, warm, "waves"), Goal: atMost(2)})
	}
	return figures, err
}
