import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { lawCases } from '../../builders/laws.ts'
import { driveGitHub } from './drive.ts'
import { type Subject, subjects } from './subjects.ts'

/*
 * Two workspaces manage the same object, each some of its attributes. What one of them changes between the check and the
 * apply of the other stays, also where a request sends the whole object.
 */

/** What another attribute of the same type moves, or allows: by type, with the reason. */
const coupled: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  github_organization: { members_can_create_repositories: 'GitHub computes it from those for each visibility' },
  github_organization_actions: { enabled_repositories: 'the others exist where Actions are on' },
  github_repository_actions: { enabled: 'the others exist where Actions are on' },
  github_repository: { archived: 'nothing else changes in an archived repository' },
}

/** Attributes that stand alone, with the declared value and another one. */
const aloneIn = (type: string, { spec, values, with: needs = {}, otherWith = {} }: Subject) =>
  Object.entries(values).filter(
    ([name]) => ![spec, needs, otherWith, coupled[type] ?? {}].some((each) => Object.hasOwn(each, name)),
  )

type Values = readonly (readonly [string, readonly [declared: Json, other: Json]])[]

const declaredOf = (values: Values): JsonObject =>
  Object.fromEntries(values.map(([name, [declared]]) => [name, declared]))
const othersOf = (values: Values): JsonObject => Object.fromEntries(values.map(([name, [, other]]) => [name, other]))

/** What a check finds, by address: the attributes, and what could not be read. */
const found = async ({ check }: Pick<Awaited<ReturnType<typeof driveGitHub>>, 'check'>) => {
  const { plan } = await check()
  const changed = plan.changes.map(({ address, causes }) => `${address} ${causes.map(({ path }) => path[0])}`)
  return [...changed, ...plan.unchecked.map(({ address, detail }) => `${address}: ${detail}`)]
}

const shared = Object.entries(subjects).filter(([type, subject]) => aloneIn(type, subject).length > 1)

describe.each(lawCases(shared, 3))('the type %s', (type, subject) => {
  it('keeps the attributes that another workspace manages', async () => {
    const all = aloneIn(type, subject)
    const ours = all.filter((_, index) => index % 2 === 0)
    const theirs = all.filter((_, index) => index % 2 === 1)
    const around = subject.around ?? []
    const wanted = (values: JsonObject) => [...around, { type, name: 'subject', spec: { ...subject.spec, ...values } }]
    await using our = await driveGitHub(wanted(declaredOf(ours)), { members: ['mona', 'hubot'] })
    await subject.prepare?.(our.github)
    await our.settle()
    const { github } = our
    await using their = await driveGitHub(wanted(declaredOf(theirs)), { github })
    await their.settle()
    expect(await found(our)).toEqual([])
    await using stranger = await driveGitHub(wanted(othersOf(ours)), { github })
    await stranger.settle()

    const { digest } = await our.check()
    their.want(wanted(othersOf(theirs)))
    await their.settle()
    const applied = await our.apply(digest)
    if (applied.status !== 'succeeded') await our.settle()

    expect({ our: await found(our), their: await found(their) }).toEqual({ our: [], their: [] })
    expect(github.violations).toEqual([])
  })
})
