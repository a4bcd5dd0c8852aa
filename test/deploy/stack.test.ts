import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from '../targets/servers/run-server.ts'
import { type Cloud, openCloud } from './cloud/cloud.ts'
import { installMoto } from './cloud/programs.ts'

/* The template itself, through CloudFormation: created, left alone when repeated, updated, destroyed. */

const machines = { 'arn:aws:sts::123456789012:assumed-role/ci/*': 'read check:acme-*' }
const settings = {
  issuer: 'https://login.acme-corp.com',
  audience: ['plumbline'],
  operations: ['ops@acme.example'],
  machines,
}

interface Resource {
  readonly Type: string
  readonly DeletionPolicy?: string
  readonly Properties: Readonly<Record<string, unknown>>
}

let cloud: Cloud

const resourcesOf = (): Readonly<Record<string, Resource>> =>
  (JSON.parse(readFileSync(cloud.template(), 'utf8')) as { readonly Resources: Record<string, Resource> }).Resources

const ofType = (type: string): readonly Resource[] => Object.values(resourcesOf()).filter(({ Type }) => Type === type)

beforeAll(async () => {
  cloud = await openCloud()
  await cloud.cdk('bootstrap')
})
afterAll(() => cloud.close())

/** Types that moto does not make. What they say is tested on the template: test/infra/stack.test.ts, network.test.ts, alarms.test.ts. */
const notMade = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Authorizer',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Logs::MetricFilter',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::Schedule',
]

it('is created, with everything that the template names', async () => {
  await cloud.cdk('deploy', settings)
  const made = await cloud.describe()
  expect(made.stack?.status).toBe('CREATE_COMPLETE')
  const named = Object.keys(resourcesOf())
  expect(made.resources.map(({ LogicalResourceId }) => LogicalResourceId).toSorted()).toEqual(named.toSorted())
  expect(cloud.onlyRecorded().toSorted()).toEqual(notMade)
  process.stdout.write(`\nmoto only records: ${notMade.join(', ')}\n`)
})

it('has what it makes with the properties of the template', async () => {
  const made = await cloud.describe()
  const functions = ofType('AWS::Lambda::Function').map(({ Properties }) => Properties)
  expect(made.functions).toHaveLength(functions.length)
  for (const wanted of functions) {
    const found = made.functions.find(({ Handler }) => Handler === wanted['Handler'])
    const { Runtime, MemorySize, Timeout, Environment } = wanted
    expect(found).toMatchObject({ Runtime, MemorySize, Timeout })
    const names = Object.keys((Environment as { readonly Variables: object }).Variables)
    expect(Object.keys(found?.Environment.Variables ?? {})).toEqual(names)
    for (const value of Object.values(found?.Environment.Variables ?? {})) expect(value).not.toContain('Fn::')
  }
  const mappings = ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties['ScalingConfig'])
  expect(made.mappings.map(({ ScalingConfig }) => ScalingConfig)).toEqual(mappings)
  expect(made.mappings.map(({ BatchSize }) => BatchSize).toSorted()).toEqual([1, 10])
  for (const each of made.mappings) {
    expect(each).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] })
    expect(made.queues.map(({ QueueArn }) => QueueArn)).toContain(each.EventSourceArn)
  }
  const waits = ofType('AWS::SQS::Queue').map(({ Properties }) => String(Properties['VisibilityTimeout'] ?? 30))
  expect(made.queues.map(({ VisibilityTimeout }) => VisibilityTimeout).toSorted()).toEqual(waits.toSorted())
  const keys = made.resources.filter(({ ResourceType }) => ResourceType === 'AWS::KMS::Key')
  const arns = keys.map(({ PhysicalResourceId }) => `arn:aws:kms:us-east-1:123456789012:key/${PhysicalResourceId}`)
  for (const each of [...made.queues, ...made.topics.filter(({ TopicArn }) => TopicArn.includes('Alerts'))]) {
    expect(arns).toContain(each.KmsMasterKeyId)
  }
  // Of a table moto drops the encryption, the expiry and the backups: test/infra/stack.test.ts asserts them.
  expect(made.tables).toMatchObject([
    {
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      DeletionProtectionEnabled: true,
    },
  ])
  for (const { logGroupName, retentionInDays } of made.logGroups)
    expect([logGroupName, retentionInDays]).toEqual([logGroupName, 90])
  for (const [role, statements] of Object.entries(made.roles)) {
    expect([role, JSON.stringify(statements)]).not.toEqual([role, '[]'])
  }
})

it('has no fault that cfn-lint knows', async () => {
  const lint = join(dirname(await installMoto()), 'cfn-lint')
  // W3005: the CDK names dependencies that a reference names too.
  await runProgram(lint, ['--ignore-checks', 'W3005', '--template', cloud.template()])
})

it('is left alone when nothing has changed', async () => {
  const before = await cloud.describe()
  expect(await cloud.cdk('deploy', settings)).toContain('no changes')
  expect(await cloud.describe()).toEqual(before)
})

it('is updated in place', async () => {
  const before = await cloud.describe()
  await cloud.cdk('deploy', { ...settings, memory: 2048 })
  const after = await cloud.describe()
  const sizes = Object.fromEntries(after.functions.map(({ Handler, MemorySize }) => [Handler, MemorySize]))
  expect(sizes).toMatchObject({ 'check.handler': 2048, 'apply.handler': 2048, 'api.handler': 2048 })
  const physical = ({ resources }: typeof after) =>
    resources.map(({ LogicalResourceId, PhysicalResourceId }) => [LogicalResourceId, PhysicalResourceId])
  expect(physical(after)).toEqual(physical(before))
})

it('is destroyed, and keeps what is evidence', async () => {
  await cloud.cdk('destroy', settings)
  const left = await cloud.describe()
  expect(left.resources).toEqual([])
  expect([left.functions, left.mappings, left.queues, left.topics]).toEqual([[], [], [], []])
  expect(left.tables.map(({ DeletionProtectionEnabled }) => DeletionProtectionEnabled)).toEqual([true])
})
