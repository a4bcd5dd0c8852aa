import { Match, Template } from 'aws-cdk-lib/assertions'
import { expect, it } from 'vitest'
import { settings, synthesise } from '../builders/aws/template.ts'

const { app, stack } = synthesise({ anchors: { days: 400, mode: 'compliance' } })
const template = Template.fromStack(stack)

interface Statement {
  readonly Action: string | readonly string[]
}

const ofPolicies = (text: RegExp): readonly string[] =>
  Object.entries(template.findResources('AWS::IAM::Policy')).flatMap(([id, policy]) =>
    (policy['Properties'].PolicyDocument.Statement as readonly Statement[])
      .filter((statement) => text.test(JSON.stringify(statement)))
      .map(({ Action }) => `${/Schedule|Check|Apply|Api|Watch/.exec(id)?.[0]} ${[Action].flat().join(' ')}`),
  )

it('the bucket of the anchors is locked, versioned, encrypted, closed, and remains', () => {
  template.hasResource('AWS::S3::Bucket', {
    DeletionPolicy: 'RetainExceptOnCreate',
    Properties: {
      ObjectLockEnabled: true,
      ObjectLockConfiguration: {
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 400 } },
      },
      VersioningConfiguration: { Status: 'Enabled' },
      BucketEncryption: Match.anyValue(),
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    },
  })
  const policies = Object.values(template.findResources('AWS::S3::BucketPolicy'))
  expect(policies).toHaveLength(1)
  expect(JSON.stringify(policies)).toContain('"aws:SecureTransport":"false"')
})

it('the key of the anchors remains, and signs for the two functions only, whatever other policies allow', () => {
  template.hasResource('AWS::KMS::Key', {
    DeletionPolicy: 'RetainExceptOnCreate',
    Properties: {
      KeySpec: 'ECC_NIST_P256',
      KeyUsage: 'SIGN_VERIFY',
      KeyPolicy: {
        Statement: Match.arrayWith([
          {
            Effect: 'Deny',
            Action: 'kms:Sign',
            Principal: '*',
            Resource: '*',
            Condition: {
              ArnNotEquals: {
                'aws:PrincipalArn': [
                  { 'Fn::GetAtt': [Match.stringLikeRegexp('ScheduleRole'), 'Arn'] },
                  { 'Fn::GetAtt': [Match.stringLikeRegexp('ApplyRole'), 'Arn'] },
                ],
              },
            },
          },
        ]),
      },
    },
  })
})

it('two functions may sign and add an anchor; none may read, change or delete one', () => {
  expect(ofPolicies(/kms:Sign|GetPublicKey/).toSorted()).toEqual([
    'Apply kms:Sign',
    'Schedule kms:Sign kms:GetPublicKey',
  ])
  expect(ofPolicies(/s3:/).toSorted()).toEqual(['Apply s3:PutObject', 'Schedule s3:PutObject'])
  const told = Object.values(template.findResources('AWS::Lambda::Function')).filter(
    ({ Properties }) => Properties.Environment?.Variables.ANCHOR_BUCKET !== undefined,
  )
  expect(told.map(({ Properties }) => Properties.Handler).toSorted()).toEqual(['apply.handler', 'schedule.handler'])
  expect(Object.keys(template.toJSON()['Outputs'])).toEqual(expect.arrayContaining(['AnchorBucket', 'AnchorKey']))
})

it('the rules of AWS Solutions find nothing in them', () => {
  expect(() => app.synth()).not.toThrow()
})

it('the defaults are a year and governance, and without the setting there is neither bucket nor key', () => {
  Template.fromStack(synthesise({ anchors: {} }).stack).hasResourceProperties('AWS::S3::Bucket', {
    ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days: 365 } } },
  })
  const none = Template.fromStack(synthesise().stack)
  none.resourceCountIs('AWS::S3::Bucket', 0)
  expect(JSON.stringify(none.toJSON())).not.toContain('kms:Sign')
  expect(settings).not.toHaveProperty('anchors')
})

it.each([
  [{ days: 0 }, 'anchors.days 0: is less than 1'],
  [{ mode: 'soft' }, 'anchors.mode "soft"'],
])('the setting %j is refused with the place and the value', (anchors, message) => {
  expect(() => synthesise({ anchors })).toThrow(message)
})
