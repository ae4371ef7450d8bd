package main

import (
	"fmt"
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapplicationautoscaling"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsec2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsecrassets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsecs"
	elb "github.com/aws/aws-cdk-go/awscdk/v2/awselasticloadbalancingv2"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

type container struct {
	name    string
	service awsecs.FargateService
	targets elb.ApplicationTargetGroup
}

// uploads holds the parts behind CloudFront's VPC origin: internal load balancer → tasks of the container.
type uploads struct {
	container
	balancer elb.ApplicationLoadBalancer
	vpc      awsec2.IVpc
	cluster  awsecs.ICluster
	listener elb.ApplicationListener
}

// uploadsPort is the port of the container, uploadsCPU its share of a CPU in 1/1024. There are
// always two tasks, one in each zone. A task has 36 places for bodies, and one of 12 MB takes some
// ten seconds to arrive: at requestsPerTask a minute six places are taken.
const (
	uploadsPort     = 8080.0
	uploadsCPU      = 512
	minTasks        = 2.0
	maxTasks        = 6.0
	requestsPerTask = 36.0
)

// addUploads runs the container in public subnets, with a public address but inbound traffic from the load
// balancer alone, which has subnets without a way to the Internet: CloudFront's VPC origins are for those. A
// NAT or interface endpoints would cost more than everything else here.
func (d *deployment) addUploads() {
	vpc := awsec2.NewVpc(d.stack, new("UploadsVpc"), &awsec2.VpcProps{
		IpAddresses: awsec2.IpAddresses_Cidr(new("10.0.0.0/24")), MaxAzs: new(2.0), NatGateways: new(0.0),
		SubnetConfiguration: &[]*awsec2.SubnetConfiguration{{
			Name: new("public"), SubnetType: awsec2.SubnetType_PUBLIC, CidrMask: new(26.0),
			MapPublicIpOnLaunch: new(false),
		}, {
			Name: new("balancer"), SubnetType: awsec2.SubnetType_PRIVATE_ISOLATED, CidrMask: new(26.0),
		}},
		GatewayEndpoints: &map[string]*awsec2.GatewayVpcEndpointOptions{
			"S3":       {Service: awsec2.GatewayVpcEndpointAwsService_S3()},
			"DynamoDB": {Service: awsec2.GatewayVpcEndpointAwsService_DYNAMODB()},
		},
	})
	d.uploads = &uploads{vpc: vpc, cluster: awsecs.NewCluster(d.stack, new("UploadsCluster"), &awsecs.ClusterProps{
		Vpc: vpc, ContainerInsightsV2: awsecs.ContainerInsights_ENABLED,
	})}
	d.uploads.container = d.newService(topology.Uploads, uploadsCPU)
	d.addBalancer()
	scaling := d.uploads.service.AutoScaleTaskCount(&awsapplicationautoscaling.EnableScalingProps{
		MinCapacity: new(minTasks), MaxCapacity: new(maxTasks),
	})
	scaling.ScaleOnRequestCount(new("Requests"), &awsecs.RequestCountScalingProps{
		TargetGroup: d.uploads.targets, RequestsPerTarget: new(requestsPerTask),
	})
	scaling.ScaleOnMemoryUtilization(new("Memory"), &awsecs.MemoryUtilizationScalingProps{
		TargetUtilizationPercent: new(60.0),
	})
}

// newService runs the tasks of a container, which has no targets yet. It has no desired count, which a
// deployment would reset to: the service keeps as many tasks as it was scaled to, and a deployment that
// brings no healthy task is rolled back.
func (d *deployment) newService(f topology.Function, cpu float64) container {
	id := constructID(f.Name)
	role := d.newRole(id+"Role", "ecs-tasks.amazonaws.com", "What "+f.Name+" may do", d.grantStatements(f)...)
	task := awsecs.NewFargateTaskDefinition(d.stack, new(id+"Task"), &awsecs.FargateTaskDefinitionProps{
		Cpu: &cpu, MemoryLimitMiB: jsii.Number(f.Memory), TaskRole: role,
		RuntimePlatform: &awsecs.RuntimePlatform{
			CpuArchitecture:       awsecs.CpuArchitecture_ARM64(),
			OperatingSystemFamily: awsecs.OperatingSystemFamily_LINUX(),
		},
	})
	env := *d.functionEnvironment(f)
	env["AWS_REGION"] = d.stack.Region()
	env["PORT"] = new(fmt.Sprint(uploadsPort))
	task.AddContainer(new(f.Name), &awsecs.ContainerDefinitionOptions{
		Image: awsecs.ContainerImage_FromAsset(new(d.code+"/"+f.Name), &awsecs.AssetImageProps{
			Platform: awsecrassets.Platform_LINUX_ARM64(),
		}),
		Environment: &env, ReadonlyRootFilesystem: new(true), StopTimeout: awscdk.Duration_Seconds(new(60.0)),
		PortMappings: &[]*awsecs.PortMapping{{ContainerPort: new(uploadsPort)}},
		DockerLabels: &map[string]*string{"secrets": new(strconv.Itoa(d.stage.Secrets))}, // as in functionDescription
		Logging: awsecs.LogDriver_AwsLogs(&awsecs.AwsLogDriverProps{
			StreamPrefix: new(f.Name), LogGroup: d.logGroup(id+"Log", "/rmk/"+d.stage.Name+"/"+f.Name),
		}),
	})
	group := awsec2.NewSecurityGroup(d.stack, new(id+"Group"), &awsec2.SecurityGroupProps{
		Vpc: d.uploads.vpc, AllowAllOutbound: new(true),
		Description: new("Tasks of the " + f.Name + " service: in from the balancer alone"),
	})
	return container{name: f.Name, service: awsecs.NewFargateService(d.stack, new(id+"Service"), &awsecs.FargateServiceProps{
		ServiceName: new(d.physicalName(f.Name)), Cluster: d.uploads.cluster, TaskDefinition: task,
		AssignPublicIp: new(true), AvailabilityZoneRebalancing: awsecs.AvailabilityZoneRebalancing_ENABLED,
		SecurityGroups:    &[]awsec2.ISecurityGroup{group},
		MinHealthyPercent: new(100.0), MaxHealthyPercent: new(200.0),
		CircuitBreaker: &awsecs.DeploymentCircuitBreaker{Rollback: new(true)},
	})}
}

func (d *deployment) newTargets(c container) elb.ApplicationTargetGroup {
	return elb.NewApplicationTargetGroup(d.stack, new(constructID(c.name)+"Targets"), &elb.ApplicationTargetGroupProps{
		Vpc: d.uploads.vpc, Port: new(uploadsPort), Protocol: elb.ApplicationProtocol_HTTP,
		Targets:             &[]elb.IApplicationLoadBalancerTarget{c.service},
		DeregistrationDelay: awscdk.Duration_Seconds(new(30.0)),
		HealthCheck: &elb.HealthCheck{
			Path: new("/healthz"), HealthyHttpCodes: new("200"), Interval: awscdk.Duration_Seconds(new(10.0)),
			HealthyThresholdCount: new(2.0), Timeout: awscdk.Duration_Seconds(new(5.0)),
		},
	})
}

func (c container) metrics() metrics {
	sum := metricOptions(5, "Sum")
	return metrics{
		"failed": c.targets.Metrics().HttpCodeTarget(elb.HttpCodeTarget_TARGET_5XX_COUNT, sum),
		"calls":  c.targets.Metrics().RequestCount(sum),
	}
}

// addBalancer creates the load balancer, which only CloudFront's VPC origin reaches.
func (d *deployment) addBalancer() {
	u := d.uploads
	group := awsec2.NewSecurityGroup(d.stack, new("BalancerGroup"), &awsec2.SecurityGroupProps{
		Vpc: u.vpc, AllowAllOutbound: new(false),
		Description: new("Balancer of the uploads service: in from this network, where the VPC origin of CloudFront is"),
	})
	u.balancer = elb.NewApplicationLoadBalancer(d.stack, new("Balancer"), &elb.ApplicationLoadBalancerProps{
		Vpc: u.vpc, InternetFacing: new(false), SecurityGroup: group, DropInvalidHeaderFields: new(true),
		VpcSubnets:  &awsec2.SubnetSelection{SubnetType: awsec2.SubnetType_PRIVATE_ISOLATED},
		IdleTimeout: awscdk.Duration_Seconds(new(60.0)), DeletionProtection: new(d.stage.KeepData),
	})
	u.targets = d.newTargets(u.container)
	listener := &elb.BaseApplicationListenerProps{
		Port: new(80.0), Protocol: elb.ApplicationProtocol_HTTP, Open: new(false),
		DefaultTargetGroups: &[]elb.IApplicationTargetGroup{u.targets},
	}
	if d.stage.balancerCertificate() != "" {
		listener.Port = new(443.0)
		listener.Protocol = elb.ApplicationProtocol_HTTPS
		listener.SslPolicy = elb.SslPolicy_RECOMMENDED_TLS
		listener.Certificates = &[]elb.IListenerCertificate{
			elb.ListenerCertificate_FromArn(new(d.stage.balancerCertificate())),
		}
	}
	network := awsec2.Peer_Ipv4(u.vpc.VpcCidrBlock())
	group.AddIngressRule(network, awsec2.Port_Tcp(listener.Port), new("The VPC origin of CloudFront"), nil)
	u.listener = u.balancer.AddListener(new("Listener"), listener)
}

// uploadsOrigin returns the load balancer as an origin. Without a certificate CloudFront
// uses plain HTTP, inside the VPC; with one it verifies the certificate against the stage's domain,
// which is also the host that it requests.
func (d *deployment) uploadsOrigin() awscloudfront.IOrigin {
	policy := awscloudfront.OriginProtocolPolicy_HTTP_ONLY
	if d.stage.balancerCertificate() != "" {
		policy = awscloudfront.OriginProtocolPolicy_HTTPS_ONLY
	}
	of := d.uploads.balancer
	arn := d.serviceOutput("BalancerArn", of.LoadBalancerArn(), "The load balancer of the uploads service")
	host := d.serviceOutput("BalancerHost", of.LoadBalancerDnsName(), "What the edge sends uploads to")
	balancer := elb.ApplicationLoadBalancer_FromApplicationLoadBalancerAttributes(d.edge, new("Balancer"),
		&elb.ApplicationLoadBalancerAttributes{
			LoadBalancerArn: arn, LoadBalancerDnsName: host,
			SecurityGroupId: new("sg-unused"), // required, and not part of an origin
		})
	return awscloudfrontorigins.VpcOrigin_WithApplicationLoadBalancer(balancer, &awscloudfrontorigins.VpcOriginWithEndpointProps{
		VpcOriginName: new(d.physicalName("uploads-" + d.stage.Generation)),
		DomainName:    optional.NonZero(d.stage.Domain), ProtocolPolicy: policy,
		OriginSslProtocols: &[]awscloudfront.OriginSslPolicy{awscloudfront.OriginSslPolicy_TLS_V1_2},
		ReadTimeout:        awscdk.Duration_Seconds(new(60.0)), CustomHeaders: d.originHeaders(),
	})
}

const (
	// readsCPU is a task's share of processors in 1/1024; half of it in use is the target of scaling, which
	// can quadruple the tasks.
	readsCPU        = 2048
	readsCPUPercent = 50.0
	mostReadTasks   = 4
)

// addReads runs the container that serves the paths of recruiters and agencies behind the load balancer of
// uploads, in place of API Gateway and functions. Those stay deployed, and serve again when the stage's
// ReadTasks is 0 and the edge was deployed.
func (d *deployment) addReads() {
	reads := d.newService(topology.Reads, readsCPU)
	reads.targets = d.newTargets(reads)
	d.reads = &reads
	d.uploads.listener.AddTargetGroups(new("Reads"), &elb.AddApplicationTargetGroupsProps{
		TargetGroups: &[]elb.IApplicationTargetGroup{reads.targets}, Priority: jsii.Number(1),
		Conditions: &[]elb.ListenerCondition{
			elb.ListenerCondition_PathPatterns(jsii.Strings(readPatterns()...)),
		},
	})
	scaling := reads.service.AutoScaleTaskCount(&awsapplicationautoscaling.EnableScalingProps{
		MinCapacity: jsii.Number(d.stage.ReadTasks), MaxCapacity: jsii.Number(mostReadTasks * d.stage.ReadTasks),
	})
	scaling.ScaleOnCpuUtilization(new("Processor"), &awsecs.CpuUtilizationScalingProps{
		TargetUtilizationPercent: new(readsCPUPercent),
	})
}

func readPatterns() (all []string) {
	for _, path := range topology.ReadPaths {
		all = append(all, contract.BasePath+path+"*")
	}
	return all
}
