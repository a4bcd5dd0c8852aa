import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { alarmedMetrics, metricNamespace } from '../../functions/metric-names.ts'
import { synthesise } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of CloudFormation's own shape.
type Json = any
const { stack } = synthesise()
const resources: Record<string, Json> = Template.fromStack(stack).toJSON()['Resources']

/** Those of a type, by logical id. */
const all = (type: string): readonly (readonly [id: string, properties: Json])[] =>
  Object.entries(resources).flatMap(([id, { Type, Properties }]) => (Type === type ? [[id, Properties]] : []))

/** The logical id that a reference is about. */
const idOf = (reference: Json): string => reference?.Ref ?? reference?.['Fn::GetAtt']?.[0] ?? ''
const list = (value: Json): readonly Json[] => [value ?? []].flat()

const alarms = all('AWS::CloudWatch::Alarm')
const account = { Ref: 'AWS::AccountId' }
const ownAlarms = {
  'Fn::Join': [
    '',
    ['arn:', { Ref: 'AWS::Partition' }, ':cloudwatch:', { Ref: 'AWS::Region' }, ':', account, ':alarm:*'],
  ],
}
const conditions = { StringEquals: { 'aws:SourceAccount': account }, ArnLike: { 'aws:SourceArn': ownAlarms } }

/** Of a policy, what CloudWatch may do. */
const forCloudWatch = (statements: readonly Json[]): readonly Json[] =>
  statements.filter(({ Principal, Effect }) => Effect === 'Allow' && Principal?.Service === 'cloudwatch.amazonaws.com')

const policyOf = (topic: string): readonly Json[] =>
  all('AWS::SNS::TopicPolicy')
    .filter(([, { Topics }]) => Topics.some((each: Json) => idOf(each) === topic))
    .flatMap(([, { PolicyDocument }]) => PolicyDocument.Statement)

describe('each alarm reaches a person', () => {
  it.each(alarms)('through the action of %s, the policy of the topic, and the policy of the key', (_, alarm) => {
    expect(alarm.ActionsEnabled).not.toBe(false)
    expect(alarm.AlarmActions).toHaveLength(1)
    expect(alarm.OKActions).toEqual(alarm.AlarmActions)
    const topic = idOf(alarm.AlarmActions[0])
    expect(resources[topic].Type).toBe('AWS::SNS::Topic')
    const [publish, ...others] = forCloudWatch(policyOf(topic))
    expect(others).toEqual([])
    expect(publish).toMatchObject({ Action: 'sns:Publish', Resource: { Ref: topic }, Condition: conditions })
    const key = resources[idOf(resources[topic].Properties.KmsMasterKeyId)]
    const [use] = forCloudWatch(key.Properties.KeyPolicy.Statement)
    expect(use).toMatchObject({
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Resource: '*',
      Condition: conditions,
    })
    const heard = all('AWS::SNS::Subscription').filter(([, { TopicArn }]) => idOf(TopicArn) === topic)
    expect(heard).toMatchObject([[expect.anything(), { Protocol: 'email', Endpoint: 'ops@acme.example' }]])
  })
  it.each(alarms)('and %s says what it means, and what missing data means', (_, alarm) => {
    expect(alarm.AlarmDescription).toMatch(/^[a-z].{20,}/)
    expect(['notBreaching', 'breaching', 'ignore']).toContain(alarm.TreatMissingData)
  })
  it('with a key of its own, because the other key may be the problem', () => {
    const keys = all('AWS::SNS::Topic').map(([, { KmsMasterKeyId }]) => idOf(KmsMasterKeyId))
    expect(new Set(keys).size).toBe(2)
    const others = all('AWS::KMS::Key').filter(([id]) => !id.includes('Operations'))
    for (const [, { KeyPolicy }] of others) expect(forCloudWatch(KeyPolicy.Statement)).toEqual([])
  })
  it('at its own addresses where there are some, with a note where there are none', long, () => {
    const of = (changes: Record<string, unknown>) => synthesise(changes).stack
    const addresses = (changes: Record<string, unknown>) =>
      Object.entries(Template.fromStack(of(changes)).findResources('AWS::SNS::Subscription')).map(
        ([, { Properties }]) => [idOf(Properties.TopicArn).replace(/[0-9A-F]{8}$/, ''), Properties.Endpoint],
      )
    expect(addresses({ mail: ['a@acme.example'], operations: ['b@acme.example'] }).toSorted()).toEqual([
      ['PlumblineAlerts', 'a@acme.example'],
      ['PlumblineOperationsTopic', 'b@acme.example'],
    ])
    Annotations.fromStack(of({ mail: [] })).hasWarning('*', Match.stringLikeRegexp('set `operations`'))
    Annotations.fromStack(of({})).hasNoWarning('*', Match.anyValue())
  })
})

/** Alarms on a metric of a thing: the dimension names it. */
const watching = (id: string, metric: string): readonly Json[] =>
  alarms.flatMap(([, alarm]) =>
    alarm.MetricName === metric && alarm.Dimensions.some(({ Value }: Json) => idOf(Value) === id) ? [alarm] : [],
  )

const isDead = (queue: string): boolean =>
  all('AWS::SQS::Queue').some(([, { RedrivePolicy }]) => idOf(RedrivePolicy?.deadLetterTargetArn) === queue) ||
  all('AWS::Scheduler::Schedule').some(([, { Target }]) => idOf(Target.DeadLetterConfig?.Arn) === queue)

const hasQueue = (id: string): boolean =>
  all('AWS::Lambda::EventSourceMapping').some(([, { FunctionName }]) => idOf(FunctionName) === id)

/** Whose failures are answers with 5xx of an API. */
const hasApi = (id: string): boolean =>
  all('AWS::ApiGatewayV2::Integration').some(([, { IntegrationUri }]) => idOf(IntegrationUri) === id)

/** Whose numbers raise an alarm when they are missing. */
const isMissed = (id: string): boolean =>
  all('AWS::Events::Rule').some(([, { Targets }]) => list(Targets).some(({ Arn }) => idOf(Arn) === id)) &&
  alarms.some(
    ([, { Namespace, TreatMissingData }]) => Namespace === metricNamespace && TreatMissingData === 'breaching',
  )

describe('no standstill stays unnoticed', () => {
  it.each(all('AWS::Lambda::Function'))(
    'because %s has alarms for errors and throttles where no other alarm shows them, and an end of its log',
    (id, properties) => {
      const isShown = hasApi(id) || isMissed(id)
      expect(watching(id, 'Errors')).toHaveLength(isShown ? 0 : 1)
      expect(watching(id, 'Throttles')).toHaveLength(hasQueue(id) ? 1 : 0)
      expect([isShown, hasQueue(id), watching(id, 'Invocations').length > 0].filter(Boolean)).toHaveLength(1)
      expect(resources[idOf(properties.LoggingConfig.LogGroup)].Properties.RetentionInDays).toBe(90)
    },
  )
  it.each(all('AWS::SQS::Queue'))(
    'because %s has alarms for waiting messages, and for those that were given up',
    (id, properties) => {
      const [age, ...others] = watching(id, 'ApproximateAgeOfOldestMessage')
      expect(others).toEqual([])
      const isOrder = properties.FifoQueue === true
      if (isDead(id)) {
        expect(watching(id, 'ApproximateNumberOfMessagesVisible')).toMatchObject([
          { Threshold: 1, TreatMissingData: 'ignore' },
        ])
        // Only an apply is an order of a person: a check and a tick come again by themselves.
        if (isOrder) expect(age.Threshold).toBeLessThan(properties.MessageRetentionPeriod)
        else expect(age).toBe(undefined)
      } else {
        expect(properties.RedrivePolicy.maxReceiveCount).toBe(10)
        expect(age.Threshold).toBeLessThanOrEqual(3600)
      }
    },
  )
  it.each(all('AWS::ApiGatewayV2::Api'))('because %s has an alarm for answers with 5xx', (id) => {
    expect(watching(id, '5xx')).toMatchObject([{ Statistic: 'Sum', Threshold: 1 }])
  })
  it.each(all('AWS::SNS::Topic'))('because %s has an alarm for subscribers that cannot be reached', (id) => {
    expect(watching(id, 'NumberOfNotificationsFailed')).toHaveLength(1)
  })
  it.each(all('AWS::DynamoDB::Table'))('because %s has an alarm for throttles', (id) => {
    expect([...watching(id, 'ReadThrottleEvents'), ...watching(id, 'WriteThrottleEvents')]).toHaveLength(2)
  })
  it.each(all('AWS::Logs::LogGroup'))('because each alarm ends some day: %s', (_, { RetentionInDays }) => {
    expect(RetentionInDays).toBe(90)
  })
  it('because the lack of any activity has an alarm too', () => {
    const silent = alarms.filter(([, { TreatMissingData }]) => TreatMissingData === 'breaching')
    expect(silent.map(([, { MetricName }]) => MetricName)).toContain('Invocations')
  })
})

describe('the metrics of the functions', () => {
  it.each(alarmedMetrics.map(([name]) => name))(
    'include %s, which is watched under the name of its deployment',
    (name) => {
      const found = alarms.flatMap(([, each]) =>
        each.Namespace === metricNamespace && each.MetricName === name ? each.Dimensions : [],
      )
      expect(found).toMatchObject([{ Name: 'service' }])
      const [{ Value }] = found
      for (const [, { Environment }] of all('AWS::Lambda::Function')) {
        expect(Environment.Variables.POWERTOOLS_SERVICE_NAME).toBe(Value)
      }
    },
  )
})

it('docs/operations.md explains each alarm and what to do', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const [, table = ''] = page.split('## When something is wrong')
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  const names = alarms.map(([id]) => id.replace(/^PlumblineAlarms|[0-9A-F]{8}$/g, ''))
  const said = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z]\w+/g) ?? [])
  expect(names.filter((name) => !said.includes(name))).toEqual([])
  const about = rows
    .filter((row) => /^\| `[A-Z]/.test(row))
    .flatMap((row) => row.split('|')[1]?.match(/[A-Z]\w+/g) ?? [])
  expect(about.filter((name) => !names.includes(name))).toEqual([])
})
