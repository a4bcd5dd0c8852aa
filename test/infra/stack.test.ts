import { App } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { handlers } from '../../infra/handlers.ts'
import { readSettings } from '../../infra/settings.ts'
import { settings, synthesise, synthesiseAnew } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'

const template = Template.fromStack(synthesise().stack)

interface Statement {
  readonly Action: string | string[]
  readonly Resource: unknown
  readonly Condition?: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': string[] } }
}

/** All statements of the policies of the role whose logical id starts with the name. */
const statementsOf = (name: string): readonly Statement[] =>
  Object.entries(template.findResources('AWS::IAM::Policy'))
    .filter(([id]) => id.startsWith(`Plumbline${name}Role`))
    .flatMap(([, policy]) => policy['Properties'].PolicyDocument.Statement as Statement[])

const actionsOf = (name: string): readonly string[] => statementsOf(name).flatMap(({ Action }) => Action)
const keysFor = (name: string, action: string): readonly string[] =>
  statementsOf(name)
    .filter(({ Action }) => [Action].flat().includes(action))
    .flatMap(({ Condition }) => Condition?.['ForAllValues:StringLike']['dynamodb:LeadingKeys'] ?? ['everything'])

it('the functions that check and apply get the memory of the settings, and the others do not', () => {
  const sizes = (of: Template) =>
    Object.entries(of.findResources('AWS::Lambda::Function'))
      .filter(([id]) => /^Plumbline(Schedule|Check|Apply|Api|Watch)/.test(id))
      .map(([id, each]) => [/(Schedule|Check|Apply|Api|Watch)/.exec(id)?.[0], each['Properties'].MemorySize])
      .toSorted()
  const others = [
    ['Api', 2048],
    ['Schedule', 1024],
    ['Watch', 512],
  ]
  expect(sizes(template)).toEqual([...others, ['Apply', 1024], ['Check', 1024]].toSorted())
  const large = Template.fromStack(synthesise({ memory: 2048 }).stack)
  expect(sizes(large)).toEqual([...others, ['Apply', 2048], ['Check', 2048]].toSorted())
  expect(() => synthesise({ memory: 128 })).toThrow('memory 128: is less than 512')
})

describe('the storage of the stack', () => {
  it('keeps the table encrypted, restorable and safe from deletion', () => {
    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: Match.anyValue() },
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      },
    })
  })
  it('encrypts topics and queues with own keys, which rotate; the key for digests cannot rotate', () => {
    const keys = Object.values(template.findResources('AWS::KMS::Key')).map((each) => each['Properties'])
    for (const key of keys) expect(key.EnableKeyRotation === true || key.KeySpec === 'HMAC_256').toBe(true)
    template.allResourcesProperties('AWS::SNS::Topic', { KmsMasterKeyId: Match.anyValue() })
    template.allResourcesProperties('AWS::SQS::Queue', { KmsMasterKeyId: Match.anyValue() })
  })
  it('refuses unencrypted connections to topic and queues', () => {
    const policies = {
      ...template.findResources('AWS::SQS::QueuePolicy'),
      ...template.findResources('AWS::SNS::TopicPolicy'),
    }
    expect(Object.keys(policies)).toHaveLength(7)
    for (const { Properties } of Object.values(policies) as { Properties: { PolicyDocument: unknown } }[]) {
      expect(JSON.stringify(Properties.PolicyDocument)).toContain('"aws:SecureTransport":"false"')
    }
  })
  it('gives each working queue a dead letter queue, and keeps applies in order', () => {
    template.resourcePropertiesCountIs('AWS::SQS::Queue', { RedrivePolicy: { maxReceiveCount: 10 } }, 2)
    template.hasResourceProperties('AWS::SQS::Queue', { FifoQueue: true, RedrivePolicy: { maxReceiveCount: 10 } })
  })
  it('delivers the message of a killed function again half a minute after its timeout', () => {
    const properties = (type: string) => template.findResources(type)
    const mappings = Object.values(properties('AWS::Lambda::EventSourceMapping'))
    for (const { Properties } of mappings) {
      const queue = properties('AWS::SQS::Queue')[Properties.EventSourceArn['Fn::GetAtt'][0]]
      const handler = properties('AWS::Lambda::Function')[Properties.FunctionName.Ref]
      expect(queue?.['Properties'].VisibilityTimeout).toBe(handler?.['Properties'].Timeout + 30)
    }
  })
})

describe('the functions of the stack', () => {
  it('all run on Node 24 and arm64', () => {
    template.resourceCountIs('AWS::Lambda::Function', handlers.length)
    template.allResourcesProperties('AWS::Lambda::Function', { Runtime: 'nodejs24.x', Architectures: ['arm64'] })
    const found = Object.values(template.findResources('AWS::Lambda::Function')).map(
      (each) => each['Properties'].Handler,
    )
    expect(found.toSorted()).toEqual(handlers.map((name) => `${name}.handler`).toSorted())
  })
  it('ask each minute, and return failures of single messages', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(1 minute)',
      Target: Match.objectLike({ RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 } }),
    })
    // The next tick finds the same: whatever tried one again would only be in its way.
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^PlumblineSchedule') },
      MaximumRetryAttempts: 0,
    })
    template.allResourcesProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    })
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 2)
  })
})

describe('least privilege', () => {
  it.each(['Schedule', 'Check', 'Apply', 'Api', 'Watch'])(
    'lets %s do nothing on all resources, and never scan or edit in place',
    (name) => {
      expect(statementsOf(name).length).toBeGreaterThan(1)
      for (const statement of statementsOf(name)) expect(statement.Resource).not.toBe('*')
      expect(actionsOf(name).filter((action) => action.includes('*'))).toEqual([])
      expect(actionsOf(name)).not.toContain('dynamodb:Scan')
      expect(actionsOf(name)).not.toContain('dynamodb:UpdateItem')
    },
  )
  it('lets a check neither touch the ledger nor start an apply, and only queue checks and their dead letters', () => {
    expect(keysFor('Check', 'dynamodb:GetItem')).not.toContain('L#*')
    expect(keysFor('Check', 'dynamodb:PutItem')).not.toContain('L#*')
    const sends = statementsOf('Check').filter(({ Action }) => [Action].flat().includes('sqs:SendMessage'))
    expect(JSON.stringify(sends.map(({ Resource }) => Resource))).toMatch(
      /^\[\[\{"Fn::GetAtt":\["\w*Checks\w*","Arn"\]\},\{"Fn::GetAtt":\["\w*DeadChecks\w*","Arn"\]\}\]\]$/,
    )
  })
  it('lets nobody delete from the ledger, and no function that reads targets for a check append to it', () => {
    for (const name of ['Schedule', 'Check', 'Apply', 'Api'])
      expect(keysFor(name, 'dynamodb:DeleteItem')).not.toContain('L#*')
    // An apply notes what it sends; the schedule ends applies that nobody works on; the api pauses and removes.
    for (const name of ['Apply', 'Schedule', 'Api']) expect(keysFor(name, 'dynamodb:PutItem')).toContain('L#*')
    expect(keysFor('Check', 'dynamodb:PutItem')).not.toContain('L#*')
    expect(keysFor('Api', 'dynamodb:Query')).toContain('L#*')
  })
  it('lets schedule read no secret, and api only those of webhooks; api publishes nothing', () => {
    const reads = (name: string) => actionsOf(name).filter((action) => /^(ssm|secretsmanager):/.test(action))
    expect(reads('Schedule')).toEqual([])
    expect(reads('Api')).toEqual(['ssm:GetParameter', 'secretsmanager:GetSecretValue'])
    expect(actionsOf('Api')).not.toContain('sns:Publish')
  })
  it('lets the watch change nothing, and ask neither the schedule nor a queue', () => {
    const changing = actionsOf('Watch').filter((action) => !/^(dynamodb:(GetItem|Query)|kms:)/.test(action))
    expect(changing).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents'])
    expect(keysFor('Watch', 'dynamodb:Query')).toEqual(['DIR', 'DUE*', 'W#*', 'QUARANTINE', 'OUTBOX', 'ANCHORS'])
  })
  it('lets a rule of its own call the watch, which is never retried', () => {
    template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' })
    template.resourcePropertiesCountIs('AWS::Lambda::EventInvokeConfig', { MaximumRetryAttempts: 0 }, 2)
  })
  it(
    'lets check and apply read only the named credentials, and api those of webhooks; api knows which a configuration may name',
    long,
    () => {
      const secretNames = ['drift/{workspace}/*', 'drift/shared/proxy']
      const { stack } = synthesise({ secretNames })
      const text = JSON.stringify(Template.fromStack(stack).findResources('AWS::IAM::Policy'))
      const named = [...text.matchAll(/:(?:parameter\/|secret:)([^"]+)"/g)].map(([, name]) => name)
      const ofWebhooks = ['drift/*/webhook', 'drift/*/webhook-??????']
      expect(new Set(named)).toEqual(
        new Set(['drift/*/*', 'drift/shared/proxy', 'drift/shared/proxy-??????', ...ofWebhooks]),
      )
      const policies = Object.entries(Template.fromStack(stack).findResources('AWS::IAM::Policy'))
      const readers = policies.filter(([, policy]) => JSON.stringify(policy).includes('drift/*/*'))
      expect(readers.map(([name]) => /Check|Apply|Api|Schedule|Watch/.exec(name)?.[0]).toSorted()).toEqual([
        'Apply',
        'Check',
      ])
      const told = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function')).map(
        ({ Properties }) => [Properties.Handler, Properties.Environment.Variables.SECRET_NAMES],
      )
      const all = secretNames.join(',')
      expect(Object.fromEntries(told)).toEqual({
        'api.handler': all,
        'apply.handler': all,
        'check.handler': all,
        'schedule.handler': undefined,
        'watch.handler': undefined,
      })
    },
  )
  it('tells the functions that store runs and backups how long to keep them', () => {
    const { stack } = synthesise({ retention: { inSyncDays: 7, otherDays: 14 } })
    const told = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function')).map(
      ({ Properties: { Handler, Environment } }) => {
        const { KEPT_DAYS_IN_SYNC, KEPT_DAYS_OTHER, KEPT_DAYS_BACKUP } = Environment.Variables
        return [Handler, [KEPT_DAYS_IN_SYNC, KEPT_DAYS_OTHER, KEPT_DAYS_BACKUP].join(' ')]
      },
    )
    expect(Object.fromEntries(told)).toEqual({
      'api.handler': '7 14 90',
      'apply.handler': '7 14 90',
      'check.handler': '7 14 90',
      'schedule.handler': '  ',
      'watch.handler': '  ',
    })
  })
  it.each([
    '*',
    '',
    '/plumbline/*',
    'plumbline*',
    'plumbline{workspace}/*',
    '{workspace}/*',
    'plumbline/{workspace}*',
    'a,b',
    'a/{other}/*',
  ])('refuses the secret name %j, which means everything or more than intended', (name) =>
    expect(() => synthesise({ secretNames: [name] })).toThrow(/secretNames/),
  )
  it('lets only check and apply use the key for digests, and for nothing but a digest', () => {
    template.hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' },
    })
    template.resourceCountIs('AWS::SecretsManager::Secret', 0)
    const may = ['Schedule', 'Check', 'Apply', 'Api', 'Watch'].filter((name) =>
      actionsOf(name).includes('kms:GenerateMac'),
    )
    expect(may).toEqual(['Check', 'Apply'])
  })
})

const role = 'arn:aws:sts::123456789012:assumed-role/deploys-the-service-number-'
const many = Array.from({ length: 60 }, (_, n) => n)

describe('the endpoint', () => {
  it('logs where a call came from and its id, also for calls that never reach the function', () => {
    const stages = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'))
    expect(stages).toHaveLength(2)
    for (const { Properties } of stages) {
      expect(JSON.parse(Properties.AccessLogSettings.Format)).toMatchObject({
        id: '$context.requestId',
        source: '$context.identity.sourceIp',
      })
    }
  })
  it('gives the open routes a limit of their own, so that they keep nobody from approving', () => {
    const limits = Object.values(template.findResources('AWS::ApiGatewayV2::Stage')).map(
      ({ Properties, DependsOn }) => {
        const routes = template.findResources('AWS::ApiGatewayV2::Route', Match.objectLike({}))
        const waited = (DependsOn as readonly string[]).map((id) => routes[id]?.['Properties'].RouteKey)
        return { settings: Properties.RouteSettings as Record<string, { ThrottlingRateLimit: number }>, waited }
      },
    )
    for (const { settings: own, waited } of limits) {
      expect(Object.keys(own).length).toBeGreaterThanOrEqual(3)
      for (const [key, { ThrottlingRateLimit }] of Object.entries(own)) {
        expect(ThrottlingRateLimit).toBeLessThan(50)
        expect(waited).toContain(key)
      }
    }
    expect(limits.flatMap(({ settings: own }) => Object.keys(own))).toContain('POST /v1/workspaces/{workspace}/webhook')
  })
  it('counts the calls that API Gateway itself refuses, which never reach the function', () => {
    template.allResourcesProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ ($.status = "401") || ($.status = "429") }',
    })
    template.resourceCountIs('AWS::Logs::MetricFilter', 2)
  })
  it('accepts machines only where the settings give them rights, and the function knows that', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ REQUIRED_SCOPES_IAM: JSON.stringify(settings.machines) }) },
    })
    const without = Template.fromStack(synthesise({ machines: undefined }).stack)
    without.resourceCountIs('AWS::ApiGatewayV2::Api', 1)
    expect(JSON.stringify(without.toJSON())).not.toMatch(/AWS_IAM|MachineEndpoint|REQUIRED_SCOPES_IAM/)
  })
  it.each([
    ['nobody', {}],
    ['a caller of any account', { 'arn:aws:sts::*:assumed-role/ci/*': 'read' }],
    ['everybody', { '*': 'read' }],
    ['every caller of an account', { 'arn:aws:iam::123456789012:*': 'read' }],
    ['no right', { 'arn:aws:iam::123456789012:user/bo': ' ' }],
    ['a role, under which nobody calls', { 'arn:aws:iam::123456789012:role/ci': 'read' }],
    ['a caller that there cannot be', { 'arn:aws:sts::123456789012:assumed-role/c i/*': 'read' }],
    ['more than a function is told', Object.fromEntries(many.map((n) => [`${role}${n}/*`, 'read check apply:a-*']))],
    ['a right that there is not', { 'arn:aws:iam::123456789012:user/bo': 'read admin' }],
    ['a workspace that there cannot be', { 'arn:aws:iam::123456789012:user/bo': 'apply:ACME' }],
  ])('refuses a map of machines that names %s', (_, wrong) => {
    expect(() => synthesise({ machines: wrong })).toThrow(/machines/)
  })
  it('demands a token or a signature on every route but the page, health, the description, the way to sign in and the webhooks', () => {
    const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map((each) => each['Properties'])
    const open = routes.filter((route) => route.AuthorizationType === 'NONE').map((route) => route.RouteKey)
    expect(open.toSorted()).toEqual([
      'GET /',
      'GET /assets/{name}',
      'GET /v1/health',
      'GET /v1/health',
      'GET /v1/openapi.json',
      'GET /v1/openapi.json',
      'GET /v1/sign-in',
      'GET /v1/sign-in',
      'POST /v1/workspaces/{workspace}/webhook',
    ])
    const closed = routes.filter((route) => route.AuthorizationType !== 'NONE')
    expect(closed.map((route) => route.AuthorizationType).toSorted()).toEqual(['AWS_IAM', 'JWT'])
  })
  it('checks issuer and audience of a token', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Issuer: settings.issuer, Audience: settings.audience },
    })
  })
  it('writes an access log and limits the rate', () => {
    template.allResourcesProperties('AWS::ApiGatewayV2::Stage', {
      AccessLogSettings: { DestinationArn: Match.anyValue() },
      DefaultRouteSettings: { ThrottlingRateLimit: 50 },
    })
  })
})

describe('the settings of the stack', () => {
  it.each<readonly [Record<string, unknown>, string]>([
    [{ issuer: 'http://plain.example' }, 'issuer'],
    [{ isuer: 'https://x.example' }, 'isuer'],
    [{ audience: [] }, 'audience'],
    ...['?a=b', '#a', ' ', '/\n'].map((end) => [{ issuer: `https://x.example${end}` }, 'issuer'] as const),
    [{ issuer: ' https://x.example' }, 'issuer'],
    [{ issuer: 'https://me:pw@x.example' }, 'issuer'],
    [{ audience: [' '] }, 'audience'],
    [{ audience: ['a', 'a'] }, 'audience'],
    [{ scopePrefix: 'my app/' }, 'scopePrefix'],
    [{ mail: ['a@b.example', 'a@b.example'] }, 'mail'],
    [{ operations: ['a@b.example', 'a@b.example'] }, 'operations'],
    [{ secretNames: ['a/{workspace}/*', 'a/{workspace}/*'] }, 'secretNames'],
    [{ secretNames: [`${'a/'.repeat(600)}*`] }, 'secretNames'],
    [{ secretNames: ['a/../*'] }, 'secretNames'],
  ])('are refused by name: %j', (changes, name) => {
    expect(() => synthesise(changes)).toThrow(name)
  })
  it('can be texts on the command line', () => {
    const read = (plumbline: unknown) => readSettings(new App({ context: { plumbline } }).node)
    expect(read(JSON.stringify(settings))).toEqual(read(settings))
    expect(() => read('{issuer: x}')).toThrow('the setting plumbline is not JSON')
    expect(() => read(undefined)).toThrow('issuer')
  })
  it.each<readonly [Record<string, unknown>, string]>([
    [{ isuer: 'x' }, 'plumbline'],
    [{ issuer: undefined }, 'issuer is missing: '],
    [{ issuer: 'http://x.example' }, 'issuer "http://x.example": '],
    [{ audience: ['a', 'b c'] }, 'audience[1] "b c": holds a space'],
    [{ machines: { 'arn:aws:iam::123456789012:role/ci': 'read' } }, 'role/ci"]: is no ARN of a caller'],
    [{ machines: { 'arn:aws:iam::123456789012:user/ci': 'all' } }, 'user/ci"] "all": is not a list of rights'],
    [{ machines: {} }, 'machines {}: has no ARN'],
    [{ reserved: { check: 0 } }, 'reserved.check 0: '],
    [{ network: { vpc: 7 } }, 'network.vpc 7: '],
    [{ logDays: 8 }, 'logDays 8: '],
    [{ retention: { inSyncDays: 0 } }, 'retention.inSyncDays 0: is less than 1'],
    [{ retention: { otherDays: 29 } }, 'retention.otherDays 29: is less than inSyncDays (30): raise it, or lower that'],
    [{ retention: { backupDays: 40_000 } }, 'retention.backupDays 40000: is more than a hundred years, 36500'],
    [{ retention: { days: 7 } }, 'retention {"days":7}: '],
    [{ mail: ['x'.repeat(9_000)] }, `mail[0] "${'x'.repeat(99)}...: `],
  ])('are explained to people in an error with setting, value and expectation: %#', (changes, line) => {
    const plumbline = { ...settings, ...changes }
    const read = () => readSettings(new App({ context: { plumbline } }).node)
    expect(read).toThrow(expect.objectContaining({ name: 'SettingsError' }))
    expect(read).toThrow(
      `\n  ${line.startsWith('role') || line.startsWith('user') ? 'machines["arn:aws:iam::123456789012:' : ''}${line}`,
    )
    expect(read).not.toThrow(/"code"|[\n] *[{}[\]]/)
  })
  it('give the same template each time', () => {
    expect(Template.fromStack(synthesiseAnew().stack).toJSON()).toEqual(template.toJSON())
  })
})
