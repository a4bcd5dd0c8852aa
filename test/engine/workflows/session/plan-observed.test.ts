import { describe, expect, it } from 'vitest'
import type { ResourceType } from '../../../../core/engine/provider/provider.ts'
import type { CommandDraft } from '../../../../core/engine/schema/command.ts'
import type { ReadResult, RecordedResource } from '../../../../core/engine/schema/resource.ts'
import { loadWorkspace } from '../../../../core/engine/workflows/session/load/load-workspace.ts'
import { bindResources } from '../../../../core/engine/workflows/session/plan/bind-resources.ts'
import type { BoundResource } from '../../../../core/engine/workflows/session/plan/observation.ts'
import { planObserved } from '../../../../core/engine/workflows/session/plan/plan-observed.ts'
import { placeOf, typeOf } from '../../../../core/engine/workflows/session/shared/loaded-workspace.ts'
import { loadProviders } from '../../../../core/providers/load-providers.ts'
import { testSeal } from '../../../builders/workspaces/rest.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

/* What was read is stored as text, and planned without a store, a transport, a secret or a clock. */

const text = (content: string): string => `
workspace: acme
providers: { files: { source: host, with: { root: /srv } } }
resources:
  - { type: host_file, name: motd, spec: { path: motd, content: ${content} } }
  - { type: host_file, name: issue, spec: { path: issue, content: hello } }
`

const file = (content: string, path = 'motd'): ReadResult => ({
  kind: 'present',
  attributes: { path, content, mode: '0644' },
})
const issue = file('hello', 'issue')
const down: ReadResult = { kind: 'unknown', reason: 'network', detail: 'connection reset' }

/** The line of a log, of last month perhaps. */
const stored = (motd: ReadResult, other: ReadResult): string =>
  JSON.stringify({ 'host_file.motd': motd, 'host_file.issue': other })

const planStored = async (
  observation: string,
  content: string,
  recorded: readonly RecordedResource[] = [],
  commands?: ResourceType['commands'],
) => {
  const loaded = loadWorkspace(yaml(text(content)), await loadProviders())
  const results: Record<string, ReadResult> = JSON.parse(observation)
  const observed = loaded.configuration.resources.map((desired): [string, BoundResource] => {
    const { address, provider, attributes } = desired
    const type = typeOf(loaded, provider, desired.type)
    const result = results[address]
    if (type === undefined || result === undefined) throw new Error(`${address} was not observed`)
    const record = recorded.find((each) => each.address === address)
    return [
      address,
      {
        ...{ address, desired, provider, place: placeOf(loaded, provider, type) },
        type: commands === undefined ? type : { ...type, commands },
        ...{ target: { address, attributes }, observed: { result }, isOwn: record !== undefined },
        ...(record === undefined ? {} : { recorded: record }),
      },
    ]
  })
  return planObserved(
    { resources: bindResources(new Map(observed)), unmanaged: { found: [], unchecked: [], notLookedInto: [] } },
    { configuration: loaded.configuration, recorded, today: '2026-11-22', seal: testSeal },
  ).plan
}

describe('a plan from a stored observation', () => {
  it.each([
    ['what is as configured', file('hello'), issue, [], true],
    ['what differs', file('old'), issue, ['host_file.motd update'], false],
    ['what is not there', { kind: 'absent' } as const, issue, ['host_file.motd create'], false],
    ['what could not be read', down, issue, [], false],
    [
      'two of them',
      file('old'),
      { kind: 'absent' } as const,
      ['host_file.issue create', 'host_file.motd update'],
      false,
    ],
  ])('needs no further read, and plans exactly what differs: %s', async (_, motd, other, changes, inSync) => {
    const plan = await planStored(stored(motd, other), 'hello')
    expect(plan.changes.map(({ address, action }) => `${address} ${action}`).toSorted()).toEqual(changes)
    expect(plan.commands.length).toBe(changes.length)
    expect(plan.inSync).toBe(inSync)
  })

  const draft: CommandDraft = {
    action: 'update',
    description: 'write',
    request: { method: 'PUT', url: 'file:///srv/motd', effect: 'write', body: 'hello' },
    grade: 'reversible',
  }
  it.each<[string, readonly CommandDraft[], string | undefined]>([
    ['that has no command', [], 'no request sends content'],
    [
      'whose command is about another attribute',
      [{ ...draft, footprint: { sets: ['mode'] } }],
      'no request sends content',
    ],
    ['whose command is about it', [{ ...draft, footprint: { sets: ['mode', 'content'] } }], undefined],
    ['whose command does not say what it is about', [draft], undefined],
    [
      'whose command is about its elements',
      [{ ...draft, footprint: { sets: [], elements: [{ of: 'content', written: [], removed: [] }] } }],
      undefined,
    ],
    ['whose command may change it', [{ ...draft, footprint: { sets: [], affects: ['content'] } }], undefined],
  ])('promises no update %s', async (_, drafts, detail) => {
    const { changes, commands } = await planStored(stored(file('old'), issue), 'hello', [], () => drafts)
    const [change] = changes
    expect(change?.blocked?.detail?.split(';')[0]).toBe(detail)
    expect(change?.blocked?.reason).toBe(detail && 'not_sent')
    expect(commands).toHaveLength(detail === undefined ? drafts.length : 0)
  })

  it('gives the same digests for the same observation, and others for another configuration', async () => {
    const observation = stored(file('old'), issue)
    const [first, again, other] = [
      await planStored(observation, 'hello'),
      await planStored(observation, 'hello'),
      await planStored(observation, 'bye'),
    ]
    expect(again).toEqual(first)
    expect(other.digests.commands).not.toBe(first.digests.commands)
  })
})
