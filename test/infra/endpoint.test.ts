import { Match, Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { settings, synthesise } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'

const certificate = 'arn:aws:acm:eu-central-1:123456789012:certificate/1a2b3c4d-0000-1111-2222-0123456789ab'
const domain = { name: 'plumbline.acme.com', certificate }
const templateOf = (changes: Record<string, unknown>) => Template.fromStack(synthesise(changes).stack)
const variablesIn = (template: Template, name: string): readonly unknown[] =>
  Object.values(template.findResources('AWS::Lambda::Function')).flatMap(
    ({ Properties }) => Properties.Environment.Variables[name] ?? [],
  )
/** What the functions that publish alerts name. */
const endpointsIn = (template: Template) => variablesIn(template, 'ENDPOINT')
const pagesIn = (template: Template) => variablesIn(template, 'PAGE_URL')

describe('an own name', () => {
  const template = templateOf({ domain: { ...domain, zone: 'Z0123456789ABC' } })

  it('is that of the API for people, with its certificate, and that of the alerts and the output', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
      DomainName: domain.name,
      DomainNameConfigurations: [{ CertificateArn: certificate, EndpointType: 'REGIONAL', IpAddressType: 'dualstack' }],
    })
    template.resourceCountIs('AWS::ApiGatewayV2::ApiMapping', 1)
    template.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', {
      ApiId: { Ref: Match.stringLikeRegexp('EndpointPeople') },
      Stage: '$default',
    })
    expect(endpointsIn(template)).toEqual(Array.from({ length: 3 }, () => 'https://plumbline.acme.com'))
    expect(pagesIn(template)).toEqual(endpointsIn(template))
    template.hasOutput('PeopleEndpoint', { Value: 'https://plumbline.acme.com' })
    template.hasOutput('MachineEndpoint', { Value: Match.objectLike({}) })
  })
  it('gets records of both kinds in the zone, and none without a zone', long, () => {
    const records = Object.values(template.findResources('AWS::Route53::RecordSet')).map(({ Properties }) => Properties)
    expect(records.map(({ Type }) => Type).toSorted()).toEqual(['A', 'AAAA'])
    for (const each of records)
      expect(each).toMatchObject({ Name: 'plumbline.acme.com.', HostedZoneId: 'Z0123456789ABC', AliasTarget: {} })
    templateOf({ domain }).resourceCountIs('AWS::Route53::RecordSet', 0)
  })
  it('can be the only one', long, () => {
    const apis = (of: Template) =>
      Object.values(of.findResources('AWS::ApiGatewayV2::Api')).flatMap(
        ({ Properties }) => Properties.DisableExecuteApiEndpoint ?? [],
      )
    expect(apis(template)).toEqual([])
    expect(apis(templateOf({ domain: { ...domain, defaultEndpoint: false } }))).toEqual([true])
  })
  it('passes the rules of AWS Solutions', () => {
    expect(() => synthesise({ domain: { ...domain, zone: 'Z0123456789ABC' } }).app.synth()).not.toThrow()
  })
})

describe('without an API for people', () => {
  const changes = { people: false, issuer: undefined, audience: undefined }
  const template = templateOf(changes)

  it('there is only that for machines, which alerts and outputs name', () => {
    const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map(({ Properties }) => Properties)
    expect(new Set(routes.map(({ AuthorizationType }) => AuthorizationType))).toEqual(new Set(['AWS_IAM', 'NONE']))
    template.resourceCountIs('AWS::ApiGatewayV2::Api', 1)
    template.resourceCountIs('AWS::ApiGatewayV2::Authorizer', 0)
    for (const each of endpointsIn(template)) expect(JSON.stringify(each)).toContain('EndpointMachines')
    expect(endpointsIn(template)).toHaveLength(3)
    // Machines read no page.
    expect(pagesIn(template)).toEqual([])
    expect(Object.keys(template.findOutputs('*'))).toContain('MachineEndpoint')
    expect(Object.keys(template.findOutputs('*'))).not.toContain('PeopleEndpoint')
  })
  it('its webhooks have a door, and no alarm is about an API that there is not', () => {
    const keys = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map(
      ({ Properties }) => Properties.RouteKey,
    )
    expect(keys).toContain('POST /v1/workspaces/{workspace}/webhook')
    const alarms = Object.keys(template.findResources('AWS::CloudWatch::Alarm'))
    expect(alarms.filter((id) => id.includes('People'))).toEqual([])
  })
  it('passes the rules of AWS Solutions', () => {
    expect(() => synthesise(changes).app.synth()).not.toThrow()
  })
  it.each<readonly [Record<string, unknown>, string]>([
    [{ machines: undefined }, 'machines is missing: name the callers: with "people": false nobody else can call'],
    [{ domain }, 'domain {"name":"plumbline.acme.com"'],
    [{ issuer: settings.issuer }, 'belongs to the API for people; remove it, or "people": false'],
    [{ identity: 'cognito' }, 'identity "cognito": belongs to the API for people'],
  ])('what belongs to people is refused with the place and what to do: %#', (more, message) => {
    expect(() => synthesise({ ...changes, ...more })).toThrow(message)
  })
})

describe('the limits of calls', () => {
  const limitsOf = (throttle: object) =>
    Object.values(templateOf({ throttle }).findResources('AWS::ApiGatewayV2::Stage')).map(({ Properties }) => ({
      all: Properties.DefaultRouteSettings,
      open: Properties.RouteSettings['GET /v1/health'],
    }))

  it.each([
    [{}, [50, 100], [10, 20]],
    [{ rate: 200 }, [200, 100], [10, 20]],
    [{ rate: 5, burst: 8 }, [5, 8], [5, 8]],
  ])('are those of each API with %j, and open routes get no more than they', (throttle, all, open) => {
    const limits = ([rate, burst]: readonly number[]) => ({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst })
    const each = { all: limits(all), open: limits(open) }
    expect(limitsOf(throttle)).toEqual([each, each])
  })
})

it.each<readonly [Record<string, unknown>, string]>([
  [
    { domain: { ...domain, name: 'Plumbline.acme.com' } },
    'domain.name "Plumbline.acme.com": is not the name of a host',
  ],
  [{ domain: { ...domain, name: '*.acme.com' } }, 'domain.name "*.acme.com": '],
  [{ domain: { ...domain, name: 'https://acme.com' } }, 'domain.name "https://acme.com": '],
  [{ domain: { name: domain.name } }, 'domain.certificate is missing: '],
  [
    { domain: { ...domain, certificate: 'arn:aws:iam::123456789012:server-certificate/x' } },
    'is no ARN of a certificate',
  ],
  [{ domain: { ...domain, zone: 'acme.com' } }, 'domain.zone "acme.com": is no id of a hosted zone'],
  [{ throttle: { rate: 0 } }, 'throttle.rate 0: is less than 1'],
  [{ throttle: { burst: 5001 } }, 'throttle.burst 5001: is more than an account has, 5000'],
  [{ throttle: { rps: 1 } }, 'throttle {"rps":1}'],
  [{ people: 'no' }, 'people "no": '],
])('a wrong setting of the endpoint is refused with the place and the value: %#', (changes, message) => {
  expect(() => synthesise(changes)).toThrow(message)
})
