import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { mapMembers } from '../../../core/engine/values/members.ts'
import { listPermissions } from '../../../core/engine/workflows/session/load/list-permissions.ts'
import { lawCases } from '../../builders/laws.ts'
import { wings } from '../../builders/workspaces/wings.ts'
import { yaml } from '../../builders/workspaces/workspace.ts'
import type { TokenOptions } from '../../github/server/tokens.ts'
import { driveGitHub, type Wanted } from './drive.ts'
import { type Subject, subjects } from './subjects.ts'

/*
 * What `plumbline permissions` says is enough, and not too much: with exactly these permissions an object of each type is made,
 * changed in each attribute and deleted; with one of them less something is refused.
 */

type Granted = NonNullable<TokenOptions['permissions']>
type Level = Granted[string]

const around = ({ around: all = [] }: Subject): readonly Wanted[] => all
const resource = (type: string, spec: JsonObject): Wanted => ({ type, name: 'subject', spec })

/** What the check needs, and what an apply needs, of each permission. */
const neededFor = async (type: string, subject: Subject) => {
  const resources = [...around(subject), resource(type, subject.spec)]
  const providers = { github: { source: 'github', with: { organization: 'acme', token: { secret: 'env:T' } } } }
  const report = await listPermissions(yaml(JSON.stringify({ workspace: 'w', providers, resources })), wings)
  const all = report.providers.flatMap(({ permissions }) => permissions)
  const levels = (which: 'check' | 'apply'): Granted =>
    Object.fromEntries(
      all.flatMap((each) => (each[which] === undefined ? [] : [[each.permission, each[which] as Level]])),
    )
  return { check: levels('check'), apply: { ...levels('check'), ...levels('apply') } }
}

const open = async (type: string, subject: Subject) => {
  const drive = await driveGitHub([...around(subject), resource(type, subject.spec)], { members: ['mona', 'hubot'] })
  await subject.prepare?.(drive.github)
  const grant = (permissions: Granted): void =>
    void Object.assign(drive.secrets, { 'env:TOKEN': drive.github.token({ permissions }) })
  const { 'env:TOKEN': whole = '' } = drive.secrets
  return { drive, grant, restore: () => void Object.assign(drive.secrets, { 'env:TOKEN': whole }) }
}

/** A create, a change of each attribute, a delete: with all rights, or with those that are granted. */
const live = async (type: string, subject: Subject, granted?: Granted) => {
  const refused: number[] = []
  for (const specs of lives(subject)) {
    const opened = await open(type, subject)
    await using drive = opened.drive
    drive.github.forget()
    if (granted !== undefined) opened.grant(granted)
    for (const spec of specs) {
      drive.want([...around(subject), ...(spec === undefined ? [] : [resource(type, spec)])])
      const failed = await drive.settle().then(
        () => undefined,
        (error: Error) => error,
      )
      refused.push(...drive.github.requests.flatMap(({ status }) => (status === 403 ? [status] : [])))
      if (refused.length > 0 || /out_of_sight|forbidden|not accessible/.test(failed?.message ?? '')) return 'refused'
      if (failed !== undefined) throw failed
    }
    expect(drive.github.violations).toEqual([])
  }
  return 'done'
}

/** All attributes at once where they can stand together, and each by itself where one needs others beside it. */
const lives = ({
  spec,
  values,
  with: beside = {},
  otherWith = {},
}: Subject): readonly (readonly (JsonObject | undefined)[])[] => {
  const names = Object.keys(values)
  const alone = names.filter((name) => beside[name] === undefined && otherWith[name] === undefined && !apart.has(name))
  const all = (at: 0 | 1) => Object.fromEntries(alone.map((name) => [name, values[name]?.[at] ?? null]))
  const each = names
    .filter((name) => !alone.includes(name))
    .map((name) => {
      const [declared = null, other = null] = values[name] ?? []
      const own = { ...spec, ...beside[name] }
      return [{ ...own, [name]: declared }, { ...own, ...otherWith[name], [name]: other }, undefined]
    })
  return [[spec, { ...spec, ...all(0) }, { ...spec, ...all(1) }, undefined], ...each]
}

/** Needed where a branch is renamed, or a repository is not there, which other tests do; and beside `pages`, where GitHub asks for both. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  github_repository: ['contents'],
  github_repository_actions: ['organization_administration'],
  github_code_scanning: ['organization_administration'],
  github_repository_collaborators: ['organization_administration'],
  github_organization_members: ['organization_administration'],
  github_pages: ['administration'],
}
const isTried = (type: string, permission: string): boolean =>
  permission !== 'metadata' && elsewhere[type]?.includes(permission) !== true

/** They change what else applies. */
const apart = new Set(['archived', 'visibility', 'default_branch', 'private_vulnerability_reporting', 'parent'])

/** Every attribute at once, of which some may not apply: only what is read for them matters. */
const everything = ({ spec, values, with: beside = {} }: Subject): JsonObject =>
  Object.assign(
    {},
    spec,
    ...Object.values(beside),
    mapMembers(values, ([declared]) => declared),
  ) as JsonObject

const lower: Readonly<Record<Level, Level | undefined>> = { read: undefined, write: 'read', admin: 'write' }

/** The permissions with one of them lowered by one level. */
const without = (granted: Granted, permission: string): Granted => {
  const { [permission]: level, ...others } = granted
  const next = level === undefined ? undefined : lower[level]
  return next === undefined ? others : { ...others, [permission]: next }
}

describe.each(lawCases(Object.entries(subjects), 2))('the type %s', (type, subject) => {
  it('needs no more permissions than it states', async () => {
    expect(await live(type, subject, (await neededFor(type, subject)).apply)).toBe('done')
  })

  it('needs for a check exactly the permissions that it states', async () => {
    const { check } = await neededFor(type, subject)
    const needed = new Set<string>()
    const opened = await open(type, subject)
    await using drive = opened.drive
    // What is not there is seen to be missing only by somebody who would see it; then what is there, with all its attributes.
    const look = async (): Promise<void> => {
      opened.grant(check)
      const { unchecked } = (await drive.check()).plan
      expect(unchecked.filter(({ reason }) => reason === 'forbidden' || reason === 'out_of_sight')).toEqual([])
      for (const permission of Object.keys(check)) {
        opened.grant(without(check, permission))
        const { unchecked } = (await drive.check()).plan
        if (unchecked.some(({ reason }) => reason === 'forbidden' || reason === 'out_of_sight')) needed.add(permission)
      }
    }
    await look()
    opened.restore()
    await drive.settle()
    await look()
    drive.want([...around(subject), resource(type, everything(subject))])
    await look()
    expect(Object.keys(check).filter((permission) => isTried(type, permission) && !needed.has(permission))).toEqual([])
  })

  it('needs all stated permissions for an apply', async () => {
    const { apply } = await neededFor(type, subject)
    const superfluous: string[] = []
    for (const permission of Object.keys(apply).filter((each) => isTried(type, each)))
      if ((await live(type, subject, without(apply, permission))) === 'done') superfluous.push(permission)
    expect(superfluous).toEqual([])
  })
})
