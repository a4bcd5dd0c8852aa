import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { synthesise } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'

const key = 'arn:aws:kms:eu-central-1:123456789012:key/1a2b3c4d-0000-1111-2222-0123456789ab'

interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: unknown
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What each function may do with the key: `Check ssm PARAMETER_ARN plumbline/*\/*`. */
const usesOf = (changes: Record<string, unknown>): readonly string[] =>
  Object.entries(Template.fromStack(synthesise(changes).stack).findResources('AWS::IAM::Policy')).flatMap(
    ([id, policy]) =>
      (policy['Properties'].PolicyDocument.Statement as readonly Statement[])
        .filter(({ Resource }) => JSON.stringify(Resource).includes(key))
        .map(({ Action, Resource, Condition = {} }) => {
          expect([Action, Resource, Object.keys(Condition)]).toEqual([
            'kms:Decrypt',
            key,
            ['StringEquals', 'StringLike'],
          ])
          const via = JSON.stringify(Condition['StringEquals']?.['kms:ViaService'])
          const service = /^\{"Fn::Join":\["",\["(\w+)\.",\{"Ref":"AWS::Region"\},"\.amazonaws\.com"\]\]\}$/.exec(
            via,
          )?.[1]
          const [[context = '', secrets] = []] = Object.entries(Condition['StringLike'] ?? {})
          const names = [...JSON.stringify(secrets).matchAll(/:(?:parameter\/|secret:)([^"]+)"/g)].map(
            ([, name]) => name,
          )
          const of = context.replace('kms:EncryptionContext:', '')
          return `${/Check|Apply|Api|Schedule|Watch/.exec(id)?.[0]} ${service} ${of} ${names.join(' ')}`
        }),
  )

describe('keys of the user for secrets', () => {
  it('decrypt the named secrets, for the functions that may read them, through the two services', long, () => {
    expect(usesOf({ secretKeys: [key], secretNames: ['a/{workspace}/*', 'a/shared/proxy'] }).toSorted()).toEqual([
      'Api secretsmanager SecretARN a/*/webhook-??????',
      'Api ssm PARAMETER_ARN a/*/webhook',
      'Apply secretsmanager SecretARN a/*/* a/shared/proxy-??????',
      'Apply ssm PARAMETER_ARN a/*/* a/shared/proxy',
      'Check secretsmanager SecretARN a/*/* a/shared/proxy-??????',
      'Check ssm PARAMETER_ARN a/*/* a/shared/proxy',
    ])
  })
  it('pass the rules of AWS Solutions, and are of no use to anybody without the setting', long, () => {
    expect(() => synthesise({ secretKeys: [key] }).app.synth()).not.toThrow()
    expect(usesOf({})).toEqual([])
  })
  it.each([
    ['an alias', ['alias/acme'], 'secretKeys[0] "alias/acme": is no ARN of a key of KMS'],
    ['all keys', ['arn:aws:kms:eu-central-1:123456789012:key/*'], 'secretKeys[0]'],
    ['one key twice', [key, key], 'names one twice'],
  ])('are refused when they are %s', (_, secretKeys, message) => {
    expect(() => synthesise({ secretKeys })).toThrow(message)
  })
})
