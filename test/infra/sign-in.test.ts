import { readFileSync } from 'node:fs'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { authenticate } from '../../functions/api/middleware/authenticate.ts'
import { readEnv } from '../../functions/env.ts'
import { settings, synthesise } from '../builders/aws/template.ts'
import { eachOf, long } from '../builders/long.ts'

/* The recipes of docs/sign-in.md: their settings, and the tokens that they show. */

const page = readFileSync(new URL('../../docs/sign-in.md', import.meta.url), 'utf8')
type Members = Readonly<Record<string, unknown>>

const blocksOf = (text: string): readonly Members[] =>
  [...text.matchAll(/```json\n([^`]*)```/g)].map(([, body = '']) => JSON.parse(body) as Members)
const recipes = page
  .split(/^### /m)
  .slice(1)
  .map((text) => ({ name: text.split('\n', 1)[0] ?? '', blocks: blocksOf(text) }))
  .filter(({ blocks }) => blocks.length > 0)

const apiOf = (changes: Members): Readonly<Record<string, string>> => {
  const bare = Object.fromEntries(Object.keys(settings).map((name) => [name, undefined]))
  const found = Template.fromStack(synthesise({ ...bare, ...changes }).stack).findResources('AWS::Lambda::Function')
  const [, api] = Object.entries(found).find(([id]) => id.startsWith('PlumblineApi')) ?? []
  const variables = Object.entries(api?.['Properties'].Environment.Variables as Members)
  return Object.fromEntries(variables.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

/** As API Gateway passes a claim. */
const flat = (claims: Members): Members =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [name, Array.isArray(value) ? `[${value.join(' ')}]` : value]),
  )
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('the recipe of an issuer', () => {
  it('there is one for each that is named', () => {
    expect(recipes.map(({ name }) => name)).toEqual(['Entra ID', 'Okta', 'Keycloak'])
  })

  eachOf(
    it,
    1,
  )<readonly [string, readonly string[]]>([
    ['Entra ID', ['read', 'check', 'apply']],
    ['Okta', ['read', 'apply']],
    ['Keycloak', ['read', 'check', 'apply']],
  ])('for %s can be deployed, and its tokens have the rights that it says', (named, rights) => {
    const [changes = {}, claims = {}] = recipes.find(({ name }) => name === named)?.blocks ?? []
    const env = readEnv({ ...apiOf(changes), TABLE_NAME: 't' })
    const whole = { iss: changes['issuer'], ...claims }
    const token = `Bearer ${part({ alg: 'RS256' })}.${part(whole)}.c2ln`
    const caller = authenticate({ jwt: { claims: flat(whole) } }, env, token)
    expect(caller.rights.map(({ scope }) => scope).toSorted()).toEqual(rights.toSorted())
    expect(env.SIGN_IN).toMatchObject({ issuer: changes['issuer'] })
  })
})

it('the other settings of the page can be deployed', long, () => {
  const pools = blocksOf(page).filter(({ identity }) => identity !== undefined)
  expect(pools).toHaveLength(2)
  for (const changes of pools) expect(apiOf(changes)['GROUPS_CLAIM']).toBe('cognito:groups')
})
