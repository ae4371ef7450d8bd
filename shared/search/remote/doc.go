// Package remote is the role catalogue in an OpenSearch domain, for marketplaces that outgrow the
// memory of one instance: a [Catalogue] is a source of lists as package catalogue's is, and keeps the
// domain in step with the change log.
//
// It knows when the domain is asked, filled and replaced. It does not know OpenSearch's requests, which
// are package opensearch's, nor what a filter means, which is package catalogue's. Only a stage with a
// domain in its setting topology.SettingSearchURL uses it.
package remote
