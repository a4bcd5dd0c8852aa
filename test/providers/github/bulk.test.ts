import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { declaredResources, fillOrganization, type KindName } from '../../bench/github/organization.ts'
import { lawRuns } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

/* Lists of the whole organisation answer for many repositories. What is planned is what the requests of each one would show. */

const kinds: readonly KindName[] = ['settings', 'rulesets', 'protection', 'labels']
const [many, few] = [10, 3]
const all = declaredResources(many, kinds)
const some = declaredResources(few, kinds)
const addresses = new Set(some.map(({ type, name }) => `${type}.${name}`))

/** Two workspaces over one organisation: of all repositories, and of so few that each is asked for by itself. */
const open = async () => {
  const whole = await driveGitHub(all)
  fillOrganization(whole.github, many, kinds)
  const alone = await driveGitHub(some, { github: whole.github })
  await whole.settle()
  await alone.settle()
  return { whole, alone, [Symbol.asyncDispose]: () => whole[Symbol.asyncDispose]() }
}
type Opened = Awaited<ReturnType<typeof open>>

const seen = async (drive: Opened['whole']) => {
  drive.github.forget()
  const { plan } = await drive.check()
  const own = <Row extends { readonly address: string }>(rows: readonly Row[]) =>
    rows.filter(({ address }) => addresses.has(address)).toSorted((a, b) => (a.address < b.address ? -1 : 1))
  const commands = own(plan.commands).map(({ address, request, precondition }) => ({ address, request, precondition }))
  return {
    plan: JSON.parse(
      JSON.stringify({ changes: own(plan.changes), unchecked: own(plan.unchecked), drifts: own(plan.drift), commands }),
    ) as Json,
    others: plan.changes.length - own(plan.changes).length,
    asked: drive.github.requests.map(({ path }) => path.replace(/\?.*/, '')),
  }
}

type Step = readonly [method: string, path: string, body?: JsonObject]

/** What is archived, renamed or gone refuses it. */
const tried = ({ github }: Opened['whole'], [method, path, body]: Step): void => {
  try {
    github.as('octo-owner').request(method, path, ...(body === undefined ? [] : [body]))
  } catch (error) {
    expect(String(error)).toMatch(/ (403|404|409|422) /)
  }
}

const repository = fc.constantFrom('service-00000', 'service-00001', 'service-00002')
const step: fc.Arbitrary<Step> = fc.tuple(repository, fc.nat(11), fc.boolean()).map(([name, kind, flag]): Step => {
  const path = `/repos/acme/${name}`
  const steps: readonly Step[] = [
    ['PATCH', path, { description: flag ? 'other' : '' }],
    ['PATCH', path, { allow_auto_merge: flag }],
    ['PATCH', path, { squash_merge_commit_title: 'PR_TITLE', squash_merge_commit_message: flag ? 'PR_BODY' : 'BLANK' }],
    ['PATCH', path, { visibility: flag ? 'public' : 'private' }],
    ['PATCH', path, { archived: flag }],
    ['PATCH', path, { name: flag ? `${name}-old` : name.toUpperCase() }],
    ['DELETE', path],
    ['POST', '/orgs/acme/repos', { name, auto_init: flag }],
    ['PUT', `${path}/topics`, { names: flag ? ['service'] : [] }],
    ['PATCH', `${path}/labels/debt`, { color: flag ? '000000' : 'fbca04' }],
    ['DELETE', `${path}/labels/incident`],
    ['DELETE', `${path}/branches/main/protection`],
  ]
  return steps[kind] ?? ['DELETE', path]
})

describe('an organisation that is read by lists', () => {
  it('costs a few calls beside those of the rulesets while nobody changes it', long, async () => {
    await using opened = await open()
    const { asked, plan, others } = await seen(opened.whole)
    expect([plan, others]).toEqual([{ changes: [], unchecked: [], drifts: [], commands: [] }, 0])
    expect(asked.filter((path) => !path.includes('/rulesets')).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => '/graphql'),
      '/orgs/acme/repos',
    ])
  })

  it('has the same plan as each repository read by itself, whatever somebody did', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        await using opened = await open()
        for (const one of steps) tried(opened.whole, one)
        const [listed, alone] = [await seen(opened.whole), await seen(opened.alone)]
        expect(listed.plan).toEqual(alone.plan)
        expect(listed.others).toBe(0)
        expect(opened.whole.github.violations).toEqual([])
      }),
      lawRuns(6),
    )
  })
})
