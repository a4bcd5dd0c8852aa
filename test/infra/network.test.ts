import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { interfaceServices } from '../../infra/constructs/network.ts'
import { synthesise } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'

const network = {
  vpc: 'vpc-0a1b2c3d',
  subnets: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'],
  securityGroups: ['sg-0a1b2c3d'],
}
const templateOf = (changes: Record<string, unknown> = {}) => Template.fromStack(synthesise(changes).stack)
// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of CloudFormation's own shape.
const propertiesOf = (template: Template, type: string): readonly any[] =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties)
const serviceOf = ({ ServiceName }: { ServiceName: { 'Fn::Join': [string, string[]] } }): string =>
  ServiceName['Fn::Join'][1].at(-1)?.slice(1) ?? ''

describe('a network that the user brings', () => {
  const plain = templateOf()
  const within = templateOf({ network })

  it('is used by check and apply, and by nothing else', () => {
    const joined = propertiesOf(within, 'AWS::Lambda::Function').filter(({ VpcConfig }) => VpcConfig !== undefined)
    expect(joined.map(({ Handler }) => Handler).toSorted()).toEqual(['apply.handler', 'check.handler'])
    for (const { VpcConfig } of joined) {
      expect(VpcConfig).toEqual({ SubnetIds: network.subnets, SecurityGroupIds: network.securityGroups })
    }
    expect(JSON.stringify(plain.toJSON())).not.toMatch(/VpcConfig|ec2:/)
  })
  it('lets Lambda make its interfaces, and denies that to the code of the functions', () => {
    const statements = propertiesOf(within, 'AWS::IAM::Policy').flatMap(
      ({ PolicyDocument }) => PolicyDocument.Statement as { Effect: string; Action: string[]; Condition?: unknown }[],
    )
    const about = statements.filter(({ Action }) => [Action].flat().some((action) => action.startsWith('ec2:')))
    expect(about.map(({ Effect }) => Effect).toSorted()).toEqual(['Allow', 'Allow', 'Deny', 'Deny'])
    const [allowed] = about.filter(({ Effect }) => Effect === 'Allow')
    for (const { Effect, Action, Condition } of about) {
      expect(Action).toEqual(allowed?.Action)
      expect(JSON.stringify(Condition ?? '').includes('lambda:SourceFunctionArn')).toBe(Effect === 'Deny')
    }
  })
  it('has exactly the endpoints that were requested', long, () => {
    expect(propertiesOf(within, 'AWS::EC2::VPCEndpoint')).toEqual([])
    const gateway = propertiesOf(
      templateOf({ network: { ...network, routeTables: ['rtb-0a1b2c3d'] } }),
      'AWS::EC2::VPCEndpoint',
    )
    expect(gateway).toMatchObject([{ VpcEndpointType: 'Gateway', VpcId: network.vpc, RouteTableIds: ['rtb-0a1b2c3d'] }])
    expect(gateway.map(serviceOf)).toEqual(['dynamodb'])
    const all = templateOf({ network: { ...network, interfaceEndpoints: true } })
    const interfaces = propertiesOf(all, 'AWS::EC2::VPCEndpoint')
    expect(interfaces.map(serviceOf).toSorted()).toEqual([...interfaceServices])
    for (const each of interfaces) {
      expect(each).toMatchObject({ VpcEndpointType: 'Interface', PrivateDnsEnabled: true, SubnetIds: network.subnets })
    }
    expect(propertiesOf(all, 'AWS::EC2::SecurityGroup')).toMatchObject([
      { SecurityGroupIngress: [{ FromPort: 443, ToPort: 443, SourceSecurityGroupId: 'sg-0a1b2c3d' }] },
    ])
  })
  it('has an endpoint for every service that check and apply may call', () => {
    const called = propertiesOf(within, 'AWS::IAM::Policy')
      .filter(({ Roles }) => /Check|Apply/.test(JSON.stringify(Roles)))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement as { Effect: string; Action: string | string[] }[])
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action }) => [Action].flat().map((action) => action.split(':')[0] ?? ''))
    // Logs and interfaces are Lambda's own business, DynamoDB has the gateway.
    const others = new Set(called.filter((service) => !['logs', 'ec2', 'dynamodb'].includes(service)))
    expect([...others].toSorted()).toEqual([...interfaceServices])
  })
  it.each<readonly [Record<string, unknown>, string]>([
    [{ ...network, vpc: 'acme' }, 'is not an id such as vpc-0a1b2c3d'],
    [{ ...network, subnets: [] }, 'subnets'],
    [{ ...network, subnets: ['sg-0a1b2c3d'] }, 'is not an id such as subnet-0a1b2c3d'],
    [{ vpc: network.vpc, subnets: network.subnets }, 'securityGroups'],
    [{ ...network, subnet: 'x' }, 'subnet'],
    ...(['subnets', 'securityGroups', 'routeTables'] as const).map((name): [Record<string, unknown>, string] => {
      const id = { subnets: 'subnet', securityGroups: 'sg', routeTables: 'rtb' }[name]
      const twice = [`${id}-0a1b2c3d`, `${id}-0a1b2c3e`, `${id}-0a1b2c3d`]
      return [{ ...network, [name]: twice }, `network.${name} ${JSON.stringify(twice)}: names one twice`]
    }),
  ])('is refused by name with %j', (wrong, message) => {
    expect(() => synthesise({ network: wrong })).toThrow(message)
  })
})

describe('the limit of parallel work', () => {
  const limits = (template: Template) =>
    propertiesOf(template, 'AWS::Lambda::EventSourceMapping').map(
      ({ ScalingConfig }) => ScalingConfig.MaximumConcurrency,
    )
  const reserved = (template: Template) =>
    Object.fromEntries(
      propertiesOf(template, 'AWS::Lambda::Function').flatMap(({ Handler, ReservedConcurrentExecutions: kept }) =>
        kept === undefined ? [] : [[Handler.split('.')[0], kept]],
      ),
    )

  it('is set at the queues, and reserves nothing by itself', () => {
    const plain = templateOf()
    expect(limits(plain).toSorted()).toEqual([10, 20])
    expect(reserved(plain)).toEqual({})
  })
  it('is as set in the settings', () => {
    const chosen = templateOf({ checksAtOnce: 40, appliesAtOnce: 2, reserved: { check: 40, apply: 5, watch: 1 } })
    expect(limits(chosen).toSorted()).toEqual([2, 40])
    expect(reserved(chosen)).toEqual({ check: 40, apply: 5, watch: 1 })
  })
  it.each<readonly [Record<string, unknown>, string]>([
    [{ checksAtOnce: 1 }, 'is less than 2, the least that SQS takes'],
    [{ appliesAtOnce: 1001 }, 'is more than SQS takes, 1000'],
    [{ reserved: { check: 19 } }, 'is 19, less than checksAtOnce (20): raise it, or lower that'],
    [{ appliesAtOnce: 30, reserved: { apply: 29 } }, 'is 29, less than appliesAtOnce (30)'],
    [{ reserved: { checks: 5 } }, 'checks'],
    [{ reserved: { check: 0 } }, 'check'],
  ])('is refused with advice as %j', (wrong, message) => {
    expect(() => synthesise(wrong)).toThrow(message)
  })
})
