import { Stack } from 'aws-cdk-lib'
import { CfnSecurityGroup, CfnVPCEndpoint } from 'aws-cdk-lib/aws-ec2'
import { Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import type { NetworkSettings } from '../settings.ts'

/** The services of AWS that check and apply call, except DynamoDB, which has a gateway. */
export const interfaceServices = ['kms', 'secretsmanager', 'sns', 'sqs', 'ssm'] as const

/**
 * The actions with which Lambda, in the role of a function, connects it to a network. None of them can be limited to a
 * resource.
 */
const interfaceActions = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
]

export class Network extends Construct {
  private readonly settings: NetworkSettings

  constructor(scope: Construct, id: string, settings: NetworkSettings) {
    super(scope, id)
    this.settings = settings
    if (settings.routeTables.length > 0) this.openGateway()
    if (settings.interfaceEndpoints) this.openInterfaces()
  }

  /** Runs a function in the network. The function's code cannot use the actions that Lambda needs for that. */
  join(handler: LambdaFunction, role: IRole): void {
    const { partition, region, account } = Stack.of(this)
    const { subnets, securityGroups } = this.settings
    role.addToPrincipalPolicy(new PolicyStatement({ actions: interfaceActions, resources: ['*'] }))
    role.addToPrincipalPolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: interfaceActions,
        resources: ['*'],
        // https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-best-practice
        conditions: {
          ArnLike: { 'lambda:SourceFunctionArn': `arn:${partition}:lambda:${region}:${account}:function:*` },
        },
      }),
    )
    const resource = handler.node.defaultChild
    if (resource instanceof CfnFunction) {
      resource.vpcConfig = { subnetIds: [...subnets], securityGroupIds: [...securityGroups] }
    }
  }

  private serviceName(service: string): string {
    return `com.amazonaws.${Stack.of(this).region}.${service}`
  }

  private openGateway(): void {
    const { vpc, routeTables } = this.settings
    new CfnVPCEndpoint(this, 'dynamodb', {
      vpcId: vpc,
      serviceName: this.serviceName('dynamodb'),
      vpcEndpointType: 'Gateway',
      routeTableIds: [...routeTables],
    })
  }

  private openInterfaces(): void {
    const { vpc, subnets, securityGroups } = this.settings
    const group = new CfnSecurityGroup(this, 'Endpoints', {
      vpcId: vpc,
      groupDescription: 'plumbline: its functions to the endpoints of AWS',
      securityGroupIngress: securityGroups.map((sourceSecurityGroupId) => ({
        ipProtocol: 'tcp',
        fromPort: 443,
        toPort: 443,
        sourceSecurityGroupId,
        description: 'functions in the network',
      })),
    })
    for (const service of interfaceServices) {
      new CfnVPCEndpoint(this, service, {
        vpcId: vpc,
        serviceName: this.serviceName(service),
        vpcEndpointType: 'Interface',
        privateDnsEnabled: true,
        subnetIds: [...subnets],
        securityGroupIds: [group.attrGroupId],
      })
    }
  }
}
