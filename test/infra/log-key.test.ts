import { Match, Template } from 'aws-cdk-lib/assertions'
import { expect, it } from 'vitest'
import { synthesise } from '../builders/aws/template.ts'

const { app, stack } = synthesise({ logKey: true, stage: 'prod' })
const template = Template.fromStack(stack)

it('each log is encrypted with one key, which serves nothing else', () => {
  const groups = Object.values(template.findResources('AWS::Logs::LogGroup')).map(
    ({ Properties }) => Properties.KmsKeyId,
  )
  expect(groups).toHaveLength(7)
  const [used] = groups
  expect(used).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^PlumblineLogKey/), 'Arn'] })
  for (const each of groups) expect(each).toEqual(used)
  for (const type of ['AWS::SQS::Queue', 'AWS::SNS::Topic', 'AWS::DynamoDB::Table'])
    expect(JSON.stringify(template.findResources(type))).not.toContain('LogKey')
})

it('the service of the logs may use the key for the log groups of this stack, in this account and region', () => {
  template.hasResource('AWS::KMS::Key', {
    DeletionPolicy: 'RetainExceptOnCreate',
    Properties: {
      EnableKeyRotation: true,
      KeyPolicy: {
        Statement: Match.arrayWith([
          {
            Effect: 'Allow',
            Principal: { Service: { 'Fn::Join': ['', ['logs.', { Ref: 'AWS::Region' }, '.amazonaws.com']] } },
            Action: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
            Resource: '*',
            Condition: {
              ArnLike: {
                'kms:EncryptionContext:aws:logs:arn': {
                  'Fn::Join': [
                    '',
                    [
                      'arn:',
                      { Ref: 'AWS::Partition' },
                      ':logs:',
                      { Ref: 'AWS::Region' },
                      ':',
                      { Ref: 'AWS::AccountId' },
                      ':log-group:Plumbline-prod-*',
                    ],
                  ],
                },
              },
            },
          },
        ]),
      },
    },
  })
})

it('the names of the log groups are those of the stack, as the key demands', () => {
  for (const { Properties } of Object.values(template.findResources('AWS::Logs::LogGroup')))
    expect(Properties.LogGroupName).toBe(undefined)
})

it('without the setting there is no such key, and with it the rules of AWS Solutions find nothing', () => {
  const plain = Template.fromStack(synthesise().stack)
  expect(JSON.stringify(plain.toJSON())).not.toMatch(/LogKey|KmsKeyId":|logs\.amazonaws/)
  expect(() => app.synth()).not.toThrow()
})

it('the setting is refused with the place and the value', () => {
  expect(() => synthesise({ logKey: 'alias/logs' })).toThrow('logKey "alias/logs": ')
})
