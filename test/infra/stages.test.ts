import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { metricNamespace } from '../../functions/metric-names.ts'
import { synthesise } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'

const pool = { issuer: undefined, audience: undefined, identity: 'cognito' }
const staged = (stage?: string) => synthesise({ ...pool, stage })

/** What must not be equal in two deployments of one account and region. */
const namesIn = (of: ReturnType<typeof staged>): readonly string[] => {
  const template = Template.fromStack(of.stack)
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of CloudFormation's own shape.
  const each = (type: string): readonly any[] =>
    Object.values(template.findResources(type)).map(({ Properties }) => Properties)
  return [
    of.stack.stackName,
    ...each('AWS::Cognito::UserPoolDomain').map(({ Domain }) => JSON.stringify(Domain)),
    ...each('AWS::Logs::MetricFilter').flatMap(({ MetricTransformations }) =>
      MetricTransformations.map((made: Record<string, string>) => `${made['MetricNamespace']} ${made['MetricName']}`),
    ),
    ...each('AWS::CloudWatch::Alarm')
      .filter(({ Namespace }) => Namespace === metricNamespace)
      .map(({ MetricName, Dimensions }) => `${MetricName} ${JSON.stringify(Dimensions)}`),
  ]
}

describe('two stages in one account', () => {
  it('have no name in common', long, () => {
    const [plain, staging, other] = [staged(), staged('staging'), staged('blue-2')].map(namesIn)
    expect(plain).toContain('Plumbline')
    expect(staging).toContain('Plumbline-staging')
    expect(new Set([...(plain ?? []), ...(staging ?? []), ...(other ?? [])]).size).toBe(3 * (plain?.length ?? 0))
  })
  it('give nothing a name of their own, which the other one could have too', long, () => {
    const given = Object.values(Template.fromStack(staged('staging').stack).toJSON()['Resources']).flatMap((each) =>
      Object.entries((each as { Properties?: object }).Properties ?? {}).filter(
        ([, value]) => typeof value === 'string',
      ),
    )
    const named = given
      .map(([name]) => name)
      .filter((name) => /^(Queue|Topic|Table|Function|LogGroup|Role|Alarm)Name$/.test(name))
    expect(named).toEqual([])
    for (const output of Object.values(Template.fromStack(staged('staging').stack).findOutputs('*')))
      expect(output).not.toHaveProperty('Export')
  })
  it('pass the rules of AWS Solutions', () => {
    expect(() => staged('staging').app.synth()).not.toThrow()
  })
})

it('tags are on everything that can have some', () => {
  const template = Template.fromStack(synthesise({ tags: { 'cost-centre': '4711', owner: 'Team Ä' } }).stack)
  const taggable = [
    'AWS::Lambda::Function',
    'AWS::SQS::Queue',
    'AWS::SNS::Topic',
    'AWS::DynamoDB::Table',
    'AWS::KMS::Key',
  ]
  for (const type of [...taggable, 'AWS::Logs::LogGroup', 'AWS::IAM::Role', 'AWS::CloudWatch::Alarm'])
    for (const { Properties } of Object.values(template.findResources(type)))
      expect([type, Properties.Tags]).toEqual([
        type,
        [
          { Key: 'cost-centre', Value: '4711' },
          { Key: 'owner', Value: 'Team Ä' },
        ],
      ])
})

it.each<readonly [Record<string, unknown>, string]>([
  [{ stage: 'Staging' }, 'stage "Staging": is not a name of small letters'],
  [{ stage: '' }, 'stage "": is not a name'],
  [{ stage: 'a--b' }, 'stage "a--b": is not a name'],
  [{ stage: 'x'.repeat(31) }, 'is longer than 30 characters'],
  [{ tags: { 'aws:owner': 'x' } }, 'tags["aws:owner"]: begins with aws:'],
  [{ tags: { owner: 'a<b' } }, 'tags.owner "a<b": has a character'],
  [{ tags: { owner: 7 } }, 'tags.owner 7: '],
  [{ tags: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, 'x'])) }, 'has more than 50 tags'],
])('a stage or a tag is refused with the place and the value: %#', (changes, message) => {
  expect(() => synthesise(changes)).toThrow(message)
})
