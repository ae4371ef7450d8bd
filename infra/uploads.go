package main

import (
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapplicationautoscaling"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsec2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsecrassets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsecs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awselasticloadbalancingv2"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// uploads holds the parts behind CloudFront's VPC origin: internal load balancer → tasks
// of the container.
type uploads struct {
	balancer awselasticloadbalancingv2.ApplicationLoadBalancer
	targets  awselasticloadbalancingv2.ApplicationTargetGroup
	service  awsecs.FargateService
	vpc      awsec2.IVpc
	cluster  awsecs.ICluster
	listener awselasticloadbalancingv2.ApplicationListener
}

// uploadsPort is the port of the container, uploadsCPU its share of a CPU in 1/1024. There are
// always two tasks, one in each zone. A task has 36 places for bodies, and one of 12 MB takes some
// ten seconds to arrive: at requestsPerTask a minute six places are taken.
const (
	uploadsPort     = 8080
	uploadsCPU      = 512
	minTasks        = 2
	maxTasks        = 6
	requestsPerTask = 36
)

// addUploads runs the container in public subnets, with a public address but inbound
// traffic from the load balancer alone, which has subnets without a way to the Internet: CloudFront's
// VPC origins are for those. A NAT or interface endpoints would cost more
// than everything else here.
func (d *deployment) addUploads() {
	vpc := awsec2.NewVpc(d.stack, jsii.String("UploadsVpc"), &awsec2.VpcProps{
		IpAddresses: awsec2.IpAddresses_Cidr(jsii.String("10.0.0.0/24")), MaxAzs: jsii.Number(2), NatGateways: jsii.Number(0),
		SubnetConfiguration: &[]*awsec2.SubnetConfiguration{{
			Name: jsii.String("public"), SubnetType: awsec2.SubnetType_PUBLIC, CidrMask: jsii.Number(26), MapPublicIpOnLaunch: jsii.Bool(false),
		}, {
			Name: jsii.String("balancer"), SubnetType: awsec2.SubnetType_PRIVATE_ISOLATED, CidrMask: jsii.Number(26),
		}},
		GatewayEndpoints: &map[string]*awsec2.GatewayVpcEndpointOptions{
			"S3": {Service: awsec2.GatewayVpcEndpointAwsService_S3()}, "DynamoDB": {Service: awsec2.GatewayVpcEndpointAwsService_DYNAMODB()},
		},
	})
	d.uploads = &uploads{vpc: vpc, cluster: awsecs.NewCluster(d.stack, jsii.String("UploadsCluster"), &awsecs.ClusterProps{
		Vpc: vpc, ContainerInsightsV2: awsecs.ContainerInsights_ENABLED,
	})}
	d.uploads.service = d.newService(topology.Uploads, uploadsCPU)
	d.addBalancer(vpc)
	scaling := d.uploads.service.AutoScaleTaskCount(&awsapplicationautoscaling.EnableScalingProps{MinCapacity: jsii.Number(minTasks), MaxCapacity: jsii.Number(maxTasks)})
	scaling.ScaleOnRequestCount(jsii.String("Requests"), &awsecs.RequestCountScalingProps{TargetGroup: d.uploads.targets, RequestsPerTarget: jsii.Number(requestsPerTask)})
	scaling.ScaleOnMemoryUtilization(jsii.String("Memory"), &awsecs.MemoryUtilizationScalingProps{TargetUtilizationPercent: jsii.Number(60)})
}

// newService runs the tasks of a container. It has no desired count, which a deployment would reset to:
// the service keeps as many tasks as it was scaled to, and a deployment that brings no healthy task
// is rolled back.
func (d *deployment) newService(f topology.Function, cpu float64) awsecs.FargateService {
	id := constructID(f.Name)
	return awsecs.NewFargateService(d.stack, jsii.String(id+"Service"), &awsecs.FargateServiceProps{
		ServiceName: jsii.String(d.physicalName(f.Name)), Cluster: d.uploads.cluster, TaskDefinition: d.newTask(f, cpu),
		AssignPublicIp: jsii.Bool(true), AvailabilityZoneRebalancing: awsecs.AvailabilityZoneRebalancing_ENABLED,
		SecurityGroups: &[]awsec2.ISecurityGroup{awsec2.NewSecurityGroup(d.stack, jsii.String(id+"Group"), &awsec2.SecurityGroupProps{
			Vpc: d.uploads.vpc, AllowAllOutbound: jsii.Bool(true),
			Description: jsii.String("Tasks of the " + f.Name + " service: in from the balancer alone"),
		})},
		MinHealthyPercent: jsii.Number(100), MaxHealthyPercent: jsii.Number(200),
		CircuitBreaker: &awsecs.DeploymentCircuitBreaker{Rollback: jsii.Bool(true)},
	})
}

// newTask returns the task of a container, with the grants of the topology's row.
func (d *deployment) newTask(f topology.Function, cpu float64) awsecs.FargateTaskDefinition {
	role := d.newRole(f, "ecs-tasks.amazonaws.com", append(d.grantStatements(f), d.searchStatements(f)...))
	task := awsecs.NewFargateTaskDefinition(d.stack, jsii.String(constructID(f.Name)+"Task"), &awsecs.FargateTaskDefinitionProps{
		Cpu: jsii.Number(cpu), MemoryLimitMiB: jsii.Number(f.Memory), TaskRole: role,
		RuntimePlatform: &awsecs.RuntimePlatform{
			CpuArchitecture: awsecs.CpuArchitecture_ARM64(), OperatingSystemFamily: awsecs.OperatingSystemFamily_LINUX(),
		},
	})
	env := *d.functionEnvironment(f)
	env["AWS_REGION"] = d.stack.Region()
	env["PORT"] = jsii.String("8080")
	task.AddContainer(jsii.String(f.Name), &awsecs.ContainerDefinitionOptions{
		Image: awsecs.ContainerImage_FromAsset(jsii.String(d.code+"/"+f.Name), &awsecs.AssetImageProps{
			Platform: awsecrassets.Platform_LINUX_ARM64(),
		}),
		Environment: &env, ReadonlyRootFilesystem: jsii.Bool(true), StopTimeout: awscdk.Duration_Seconds(jsii.Number(60)),
		PortMappings: &[]*awsecs.PortMapping{{ContainerPort: jsii.Number(uploadsPort)}},
		DockerLabels: &map[string]*string{"secrets": jsii.String(strconv.Itoa(d.stage.Secrets))}, // as in functionDescription
		Logging: awsecs.LogDriver_AwsLogs(&awsecs.AwsLogDriverProps{
			StreamPrefix: jsii.String(f.Name), LogGroup: d.logGroup(constructID(f.Name)+"Log", "/rmk/"+d.stage.Name+"/"+f.Name),
		}),
	})
	return task
}

// newTargets returns the targets of a container's service, with its health check.
func (d *deployment) newTargets(f topology.Function, service awsecs.FargateService) awselasticloadbalancingv2.ApplicationTargetGroup {
	id := jsii.String(constructID(f.Name) + "Targets")
	return awselasticloadbalancingv2.NewApplicationTargetGroup(d.stack, id, &awselasticloadbalancingv2.ApplicationTargetGroupProps{
		Vpc: d.uploads.vpc, Port: jsii.Number(uploadsPort), Protocol: awselasticloadbalancingv2.ApplicationProtocol_HTTP,
		Targets:             &[]awselasticloadbalancingv2.IApplicationLoadBalancerTarget{service},
		DeregistrationDelay: awscdk.Duration_Seconds(jsii.Number(30)),
		HealthCheck: &awselasticloadbalancingv2.HealthCheck{
			Path: jsii.String("/healthz"), HealthyHttpCodes: jsii.String("200"), Interval: awscdk.Duration_Seconds(jsii.Number(10)),
			HealthyThresholdCount: jsii.Number(2), Timeout: awscdk.Duration_Seconds(jsii.Number(5)),
		},
	})
}

// failureMetric returns the share of requests that the container, or the load balancer itself,
// answered with 5xx. The balancer does not count those that it sent to no target.
func (u *uploads) failureMetric() awscloudwatch.IMetric {
	of := u.balancer.Metrics()
	sum := metricOptions(5, "Sum")
	return shareMetric("FILL(failed, 0) + FILL(refused, 0)", "FILL(calls, 0) + FILL(refused, 0)", 6, 5, map[string]awscloudwatch.IMetric{
		"failed":  of.HttpCodeTarget(awselasticloadbalancingv2.HttpCodeTarget_TARGET_5XX_COUNT, sum),
		"refused": of.HttpCodeElb(awselasticloadbalancingv2.HttpCodeElb_ELB_5XX_COUNT, sum),
		"calls":   of.RequestCount(sum),
	})
}

// addBalancer creates the load balancer, which only CloudFront's VPC origin reaches.
func (d *deployment) addBalancer(vpc awsec2.IVpc) {
	u := d.uploads
	group := awsec2.NewSecurityGroup(d.stack, jsii.String("BalancerGroup"), &awsec2.SecurityGroupProps{
		Vpc: vpc, Description: jsii.String("Balancer of the uploads service: in from this network, where the VPC origin of CloudFront is"), AllowAllOutbound: jsii.Bool(false),
	})
	u.balancer = awselasticloadbalancingv2.NewApplicationLoadBalancer(d.stack, jsii.String("Balancer"), &awselasticloadbalancingv2.ApplicationLoadBalancerProps{
		Vpc: vpc, InternetFacing: jsii.Bool(false), SecurityGroup: group, DropInvalidHeaderFields: jsii.Bool(true),
		VpcSubnets:  &awsec2.SubnetSelection{SubnetType: awsec2.SubnetType_PRIVATE_ISOLATED},
		IdleTimeout: awscdk.Duration_Seconds(jsii.Number(60)), DeletionProtection: jsii.Bool(d.stage.KeepData),
	})
	u.targets = d.newTargets(topology.Uploads, u.service)
	listener := &awselasticloadbalancingv2.BaseApplicationListenerProps{
		Port: jsii.Number(80), Protocol: awselasticloadbalancingv2.ApplicationProtocol_HTTP, Open: jsii.Bool(false),
		DefaultTargetGroups: &[]awselasticloadbalancingv2.IApplicationTargetGroup{u.targets},
	}
	if d.stage.balancerCertificate() != "" {
		listener.Port = jsii.Number(443)
		listener.Protocol = awselasticloadbalancingv2.ApplicationProtocol_HTTPS
		listener.SslPolicy = awselasticloadbalancingv2.SslPolicy_RECOMMENDED_TLS
		listener.Certificates = &[]awselasticloadbalancingv2.IListenerCertificate{
			awselasticloadbalancingv2.ListenerCertificate_FromArn(jsii.String(d.stage.balancerCertificate())),
		}
	}
	group.AddIngressRule(awsec2.Peer_Ipv4(vpc.VpcCidrBlock()), awsec2.Port_Tcp(listener.Port), jsii.String("The VPC origin of CloudFront"), nil)
	u.listener = u.balancer.AddListener(jsii.String("Listener"), listener)
}

// uploadsOrigin returns the load balancer as an origin. Without a certificate CloudFront
// uses plain HTTP, inside the VPC; with one it verifies the certificate against the stage's domain,
// which is also the host that it requests.
func (d *deployment) uploadsOrigin() awscloudfront.IOrigin {
	policy := awscloudfront.OriginProtocolPolicy_HTTP_ONLY
	if d.stage.balancerCertificate() != "" {
		policy = awscloudfront.OriginProtocolPolicy_HTTPS_ONLY
	}
	balancer := awselasticloadbalancingv2.ApplicationLoadBalancer_FromApplicationLoadBalancerAttributes(d.edge, jsii.String("Balancer"), &awselasticloadbalancingv2.ApplicationLoadBalancerAttributes{
		LoadBalancerArn:     d.serviceOutput("BalancerArn", d.uploads.balancer.LoadBalancerArn(), "The load balancer of the uploads service"),
		LoadBalancerDnsName: d.serviceOutput("BalancerHost", d.uploads.balancer.LoadBalancerDnsName(), "What the edge sends uploads to"),
		SecurityGroupId:     jsii.String("sg-unused"), // required, and not part of an origin
	})
	return awscloudfrontorigins.VpcOrigin_WithApplicationLoadBalancer(balancer, &awscloudfrontorigins.VpcOriginWithEndpointProps{
		VpcOriginName: jsii.String(d.physicalName("uploads-" + d.serviceGeneration())),
		DomainName:    optional.NonZero(d.stage.Domain), ProtocolPolicy: policy, OriginSslProtocols: &[]awscloudfront.OriginSslPolicy{awscloudfront.OriginSslPolicy_TLS_V1_2},
		ReadTimeout: awscdk.Duration_Seconds(jsii.Number(60)), CustomHeaders: d.originHeaders(),
	})
}
