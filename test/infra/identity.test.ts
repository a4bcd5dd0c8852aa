import { Match, Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { readEnv } from '../../functions/env.ts'
import { synthesise } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'

const withoutIssuer = { issuer: undefined, audience: undefined }
const templateOf = (changes: Record<string, unknown>): Template => Template.fromStack(synthesise(changes).stack)
const variablesOf = (template: Template): Record<string, unknown> =>
  Object.entries(template.findResources('AWS::Lambda::Function')).find(([id]) => id.startsWith('PlumblineApi'))?.[1][
    'Properties'
  ].Environment.Variables

describe('a pool of users', () => {
  const template = templateOf({ ...withoutIssuer, identity: 'cognito' })

  it('takes nobody in by itself, and demands a second factor', () => {
    template.hasResource('AWS::Cognito::UserPool', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        MfaConfiguration: 'ON',
        EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
        DeletionProtection: 'ACTIVE',
      },
    })
  })
  it('has a client without a secret, which comes back to the machine of the command, and to the page', () => {
    template.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      CallbackURLs: [
        'http://localhost:8976/callback',
        { 'Fn::Join': ['', [{ 'Fn::GetAtt': [Match.stringLikeRegexp('People'), 'ApiEndpoint'] }, '/']] },
      ],
      PreventUserExistenceErrors: 'ENABLED',
    })
    const names = ['read', 'check', 'apply', 'irreversible', 'configure'].map((ScopeName) =>
      Match.objectLike({ ScopeName }),
    )
    template.hasResourceProperties('AWS::Cognito::UserPoolResourceServer', { Identifier: 'plumbline', Scopes: names })
  })
  it('is what the endpoint believes, and what it tells people who sign in', () => {
    const { Properties } = Object.values(template.findResources('AWS::ApiGatewayV2::Authorizer'))[0] as {
      Properties: { JwtConfiguration: { Audience: readonly unknown[]; Issuer: unknown } }
    }
    expect(JSON.stringify(Properties.JwtConfiguration.Issuer)).toMatch(/https:\/\/cognito-idp\..*IdentityPool/)
    expect(JSON.stringify(Properties.JwtConfiguration.Audience)).toContain('IdentityPoolCommand')
    const told = JSON.stringify(variablesOf(template)['SIGN_IN'])
    expect(told).toContain(
      'openid plumbline/read plumbline/check plumbline/apply plumbline/irreversible plumbline/configure',
    )
    expect(told).not.toContain('offline_access')
    // Cognito gives tokens at an address of its own, which the page must be able to reach.
    expect(told).toContain('.amazoncognito.com')
  })
  it('gives rights by group, because each of its users may ask for each scope', () => {
    const groups = Object.values(template.findResources('AWS::Cognito::UserPoolGroup'))
    const named = groups.map(({ Properties }) => Properties.GroupName)
    const { GROUP_RIGHTS: rights, GROUPS_CLAIM, SCOPE_PREFIX } = variablesOf(template)
    expect({ GROUPS_CLAIM, SCOPE_PREFIX }).toEqual({ GROUPS_CLAIM: 'cognito:groups', SCOPE_PREFIX: 'plumbline/' })
    const env = readEnv({ TABLE_NAME: 't', GROUP_RIGHTS: String(rights) })
    expect(Object.keys(env.GROUP_RIGHTS ?? {}).toSorted()).toEqual(named.toSorted())
    expect(env.GROUP_RIGHTS?.['plumbline-operators']?.map(({ scope }) => scope)).toEqual(['read', 'check', 'apply'])
  })
})

describe('an issuer that exists', () => {
  it('is told to people with its client, and what they ask for', long, () => {
    const template = templateOf({ scopePrefix: 'api://plumbline/', signIn: { clientId: 'c-1' } })
    const scope = ['read', 'check', 'apply', 'irreversible', 'configure'].map((name) => `api://plumbline/${name}`)
    expect(JSON.parse(String(variablesOf(template)['SIGN_IN']))).toEqual({
      issuer: 'https://login.acme-corp.com',
      clientId: 'c-1',
      scope: `openid offline_access ${scope.join(' ')}`,
    })
    template.resourceCountIs('AWS::Cognito::UserPool', 0)
  })
  it('is asked for its keys before there is a table that remains', long, () => {
    const [table] = Object.values(templateOf({}).findResources('AWS::DynamoDB::Table'))
    expect(table?.['DependsOn']).toEqual([expect.stringMatching(/^PlumblineEndpointPeople\w*Authorizer|Issuer/)])
  })
})

it.each([
  ['a placeholder', { issuer: 'https://issuer.example' }, /issuer "https:\/\/issuer.example": is a placeholder/],
  ['a placeholder of the RFC', { issuer: 'https://login.example.com/x' }, /is a placeholder/],
  ['none at all', withoutIssuer, /issuer is missing: .*"identity": "cognito"/],
  ['one without an audience', { audience: undefined }, /audience is missing: /],
  ['two', { identity: 'cognito' }, /issuer.*belongs to an issuer that exists/],
  ['a claim without rights', { groupsClaim: 'roles' }, /groups is missing: /],
  ['a right of a group that there is not', { groups: { ops: 'admin' } }, /groups\.ops "admin"/],
])('an identity that is %s is refused with the place and what to do', (_, changes, message) => {
  expect(() => synthesise(changes)).toThrow(message)
})

describe('what a former stack has left', () => {
  const table = {
    name: 'restored-table',
    key: 'arn:aws:kms:eu-central-1:123456789012:key/1a2b3c4d-0000-1111-2222-0123456789ab',
  }
  const sealKey = 'arn:aws:kms:eu-central-1:123456789012:key/mrk-0123456789abcdef0123456789abcdef'

  it('is used again: no new table, no new key for it, the same digests', () => {
    const template = templateOf({ table, sealKey })
    template.resourceCountIs('AWS::DynamoDB::Table', 0)
    template.resourceCountIs('AWS::KMS::Key', 1)
    const text = JSON.stringify(template.toJSON())
    for (const each of [table.name, table.key, sealKey]) expect(text).toContain(each)
  })
  it.each([
    ['a table without its key', { table: { name: 'x-table' } }],
    ['a key that is an alias', { sealKey: 'alias/plumbline' }],
  ])('is refused when it is %s', (_, changes) => {
    expect(() => synthesise(changes)).toThrow(/table\.key is missing|sealKey/)
  })
})

it('those who publish alerts know the endpoint that their commands name', () => {
  const functions = Object.entries(templateOf({}).findResources('AWS::Lambda::Function'))
  const knowing = functions.filter(([, { Properties }]) => Properties.Environment.Variables['ENDPOINT'] !== undefined)
  const publishing = functions.filter(
    ([, { Properties }]) => Properties.Environment.Variables['TOPIC_ARN'] !== undefined,
  )
  expect(knowing.map(([id]) => id)).toEqual(publishing.map(([id]) => id))
  expect(knowing).toHaveLength(3)
})

it('outputs have the names that the documents say', () => {
  const names = Object.keys(templateOf({ ...withoutIssuer, identity: 'cognito' }).findOutputs('*'))
  expect(names.toSorted()).toEqual([
    'AlertTopic',
    'Issuer',
    'MachineEndpoint',
    'OperationsTopic',
    'PeopleEndpoint',
    'TableName',
    'UserPool',
  ])
})
