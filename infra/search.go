package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsopensearchservice"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/remote"
)

// Search is a stage's search domain.
type Search struct {
	// Instance is the type of the data nodes, such as r7g.large.search, and Nodes their
	// number; two or more are spread over two zones. Storage is that of each node, in GB.
	Instance string  `json:"instance"`
	Nodes    int     `json:"nodes"`
	Storage  float64 `json:"storage"`
}

// addSearch creates the search domain. Its data is derived: it is not kept when the stack is deleted, and can
// be filled again from the tables. Only signed requests of IAM roles with a statement for it are accepted.
func (d *deployment) addSearch() {
	s := d.stage.Search
	d.search = awsopensearchservice.NewCfnDomain(d.stack, new("Search"), &awsopensearchservice.CfnDomainProps{
		DomainName:    new(d.physicalName("roles")),
		EngineVersion: new("OpenSearch_2.19"),
		ClusterConfig: &awsopensearchservice.CfnDomain_ClusterConfigProperty{
			InstanceType: new(s.Instance), InstanceCount: jsii.Number(s.Nodes), ZoneAwarenessEnabled: new(s.Nodes > 1),
		},
		EbsOptions: &awsopensearchservice.CfnDomain_EBSOptionsProperty{
			EbsEnabled: new(true), VolumeType: new("gp3"), VolumeSize: &s.Storage,
		},
		DomainEndpointOptions: &awsopensearchservice.CfnDomain_DomainEndpointOptionsProperty{
			EnforceHttps: new(true), TlsSecurityPolicy: new("Policy-Min-TLS-1-2-PFS-2023-10"),
		},
		EncryptionAtRestOptions: &awsopensearchservice.CfnDomain_EncryptionAtRestOptionsProperty{
			Enabled: new(true),
		},
		NodeToNodeEncryptionOptions: &awsopensearchservice.CfnDomain_NodeToNodeEncryptionOptionsProperty{
			Enabled: new(true),
		},
	})
	d.search.ApplyRemovalPolicy(awscdk.RemovalPolicy_DESTROY, nil)
}

func (d *deployment) addSearchAlarms() {
	failures := awslogs.NewMetricFilter(d.stack, new("SearchFailures"), &awslogs.MetricFilterProps{
		LogGroup:        d.functions["roles"].LogGroup(),
		MetricNamespace: new(d.metricsNamespace()), MetricName: new("search_failures"),
		FilterPattern: awslogs.FilterPattern_StringValue(new("$.msg"), new("="), new(remote.FailureMessage)),
	})
	d.addAlarm("search-fallback", "search", failures.Metric(metricOptions(5, "Sum")))
	d.addAlarm("search-red", "search", d.searchMetric("ClusterStatus.red", "Maximum"))
	storage := newAlarm("search-storage", "search", d.searchMetric("FreeStorageSpace", "Minimum"))
	storage.Threshold = new(d.stage.Search.Storage * 1024 / 4) // a quarter, in MiB, of what is ordered in GB
	d.createAlarm(d.topics, storage)
	d.addAlarm("search-memory", "search", d.searchMetric("JVMMemoryPressure", "Maximum"))
}

func (d *deployment) searchMetric(name, statistic string) awscloudwatch.Metric {
	return newMetric("AWS/ES", name, statistic, "DomainName", *d.search.DomainName(), "ClientId", *d.stack.Account())
}

func (d *deployment) searchURL() *string {
	if d.search == nil {
		return nil
	}
	return awscdk.Fn_Join(new(""), &[]*string{new("https://"), d.search.AttrDomainEndpoint()})
}

// searchStatements returns a function's permissions on the search domain: the function roles
// and the container reads search it; the publisher writes, creates and removes its indexes.
func (d *deployment) searchStatements(f topology.Function) []awsiam.PolicyStatement {
	if d.search == nil {
		return nil
	}
	allow := func(path string, actions ...string) []awsiam.PolicyStatement {
		on := awscdk.Fn_Join(new(""), &[]*string{d.search.AttrArn(), &path})
		return []awsiam.PolicyStatement{allowStatement(actions, on)}
	}
	switch f.Name {
	case "roles", topology.Reads.Name:
		return allow("/"+opensearch.DefaultAlias+"/_msearch", "es:ESHttpPost")
	case topology.Publisher.Name:
		return allow("/*", "es:ESHttpDelete", "es:ESHttpGet", "es:ESHttpPost", "es:ESHttpPut")
	}
	return nil
}
