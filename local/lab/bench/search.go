package main

import (
	"fmt"
	"os/exec"
	"strconv"
)

// searchModule is the module that compares search engines.
const searchModule = "shared/search/roleindex/bench"

// indexSizes are the sizes of the role index, with the most processor time of the 99th percentile of a search
// and of a recommendation, in ms.
var indexSizes = []struct {
	roles               int
	search, recommended float64
}{{10_000, 0.2, 0.5}, {100_000, 0.7, 4}, {1_000_000, 6, 40}}

// measureSearch measures row 9: the role index at three sizes, with changed roles laid over, and the
// other engines on the same roles and queries.
func measureSearch(b *bench) ([]figure, error) {
	r, err := b.runGo(goBench{pkg: "./shared/search/catalogue", pattern: "^(BenchmarkSizes|BenchmarkChanged)$", time: "3x", env: deployed})
	if err != nil {
		return nil, err
	}
	var figures []figure
	for _, size := range indexSizes {
		name := fmt.Sprintf("Sizes/%d", size.roles)
		search := fmt.Sprintf("search of %d roles, ", size.roles)
		of := fmt.Sprintf("%d roles: ", size.roles)
		figures = append(figures,
			r.figure(9, search+"p99", "ms CPU", name, "p99-cpu-ms", atMost(size.search)),
			r.figure(9, search+"p50", "ms CPU", name, "p50-cpu-ms", told),
			r.figure(9, of+"build", "s CPU", name, "build-cpu-s", told),
			r.figure(9, of+"open", "ms CPU", name, "open-cpu-ms", told),
			r.figure(9, of+"memory", "MB", name, "memory-MB", told))
	}
	added := figure{Row: 9, Name: "what 1,000 changes of 100,000 roles add to a search, p99", Unit: "ms CPU", Goal: atMost(2)}
	added.Ours = []float64{r["Changed/searched"]["p99-cpu-ms"] - r["Changed/plain"]["p99-cpu-ms"]}
	figures = append(figures, added, r.figure(9, "laying them over, p50", "ms CPU", "Changed/laid-over", "p50-cpu-ms", atMost(2)))
	others, err := b.compareEngines()
	return append(figures, others...), err
}

// comparedRoles is the number of roles on which engines are compared.
const comparedRoles = 10_000

// compareEngines runs the search module, with OpenSearch if Java is installed.
func (b *bench) compareEngines() (figures []figure, err error) {
	command := []string{
		"go", "-C", searchModule, "test", "-mod=mod", "-run=^$", "-bench=^BenchmarkRoles$", "-benchtime=1x", "-timeout=20m", ".",
	}
	if _, err := exec.LookPath("mvn"); err == nil {
		command = append([]string{".ci/opensearch"}, command...)
	}
	out, err := b.run(b.command(".", []string{"ROLES=" + strconv.Itoa(comparedRoles)}, command[0], command[1:]...))
	if err != nil {
		return nil, err
	}
	r := parseResults(out)
	for _, engine := range []string{"bleve", "OpenSearch"} {
		of := fmt.Sprintf("of %d roles, ", comparedRoles)
		mean := r.figure(9, "search "+of+"mean", "ms CPU", "Roles", "embedded-cpu-ms/query", ratioAtMost(0.125))
		recall := r.figure(9, "recall "+of+"one typo", "", "Roles", "embedded-recall", told)
		recall.Note = "≥ 0.93, tested"
		figures = append(figures,
			mean.beside(engine, r.at("Roles", engine+"-cpu-ms/query")),
			recall.beside(engine, r.at("Roles", engine+"-recall")))
	}
	return figures, nil
}

// measureRecommendation measures row 10.
func measureRecommendation(b *bench) (figures []figure, err error) {
	r, err := b.runGo(goBench{pkg: "./shared/search/recommend", pattern: "^BenchmarkRank$", time: "5x", env: deployed})
	for _, size := range indexSizes {
		name := fmt.Sprintf("Rank/%d", size.roles)
		text := fmt.Sprintf("recommendation of %d roles, ", size.roles)
		figures = append(figures,
			r.figure(10, text+"p99", "ms CPU", name, "p99-cpu-ms", atMost(size.recommended)),
			r.figure(10, text+"p50", "ms CPU", name, "p50-cpu-ms", told))
	}
	return figures, err
}

// measureCRM measures row 11: searches of CRMs of several sizes.
func measureCRM(b *bench) (figures []figure, err error) {
	r, err := b.runGo(goBench{pkg: "./functions/crm", pattern: "^BenchmarkCandidates$/^search_", time: "30x", env: deployed})
	for _, size := range []int{99, 300, 999, 5000, 20_000, 50_000, 100_000} {
		name := fmt.Sprintf("Candidates/search_of_%d,_cold_", size)
		text := fmt.Sprintf("search of %d candidates, ", size)
		if r[name+"false"] == nil {
			continue // CANDIDATES is the largest size
		}
		figures = append(figures,
			r.figure(11, text+"warm", "ms CPU", name+"false", "cpu-ms", atMost(6)),
			r.figure(11, text+"cold", "ms CPU", name+"true", "cpu-ms", atMost(20)),
			r.figure(11, text+"warm", "waves", name+"false", "waves", atMost(2)))
	}
	return figures, err
}
