import { digest } from '../../core/digest.ts'
import type { LedgerDraft } from '../../core/ledger/link.ts'
import type { Command } from '../../core/schema/command.ts'
import type { Change, Plan, Unchecked } from '../../core/schema/plan.ts'
import type { Actor, Apply, Bundle, Run, Workspace } from '../../core/schema/records.ts'
import type { RecordedResource } from '../../core/schema/resource.ts'

const ada: Actor = { subject: 'ada', via: 'api' }
const at = '2026-03-01T06:00:00.000Z'

/** Ids that sort by their number, as ULIDs do by time. */
export const anId = (n: number): string => `01J${String(n).padStart(23, '0')}`

export const aChange = (address: string, more: Partial<Change> = {}): Change => ({
  address,
  type: address.split('.')[0] ?? '',
  name: address.split('.')[1] ?? '',
  provider: 'dns',
  action: 'update',
  before: { ttl: 1 },
  after: { ttl: 2 },
  diff: { kind: 'value', action: 'update', before: 1, after: 2 },
  causes: [{ path: ['ttl'], cause: 'drift' }],
  replacePaths: [],
  ...more,
})

export const aPlan = (
  changes: readonly Change[] = [],
  unchecked: readonly Unchecked[] = [],
  more: Partial<Plan> = {},
): Plan => {
  const count = (action: string) => changes.filter((change) => change.action === action).length
  return {
    formatVersion: '1',
    workspace: 'acme',
    changes,
    drift: [],
    unchecked,
    unobserved: [],
    unmanaged: [],
    ignored: [],
    commands: [],
    counts: {
      create: count('create'),
      update: count('update'),
      replace: count('replace'),
      delete: count('delete'),
      blocked: 0,
      unchanged: 0,
      unchecked: unchecked.length,
      drifted: 0,
      commands: 0,
    },
    inSync: changes.length + unchecked.length === 0,
    complete: unchecked.length === 0,
    digests: { observed: digest('observed'), plan: digest(changes), commands: digest(['commands', changes]) },
    ...more,
  }
}

export const aRun = (n: number, plan?: Plan, more: Partial<Run> = {}): Run => ({
  id: anId(n),
  workspace: 'acme',
  status: plan === undefined ? 'failed' : plan.inSync ? 'in_sync' : plan.complete ? 'changes' : 'incomplete',
  trigger: 'schedule',
  actor: { subject: 'schedule', via: 'schedule' },
  startedAt: at,
  finishedAt: at,
  ...(plan === undefined
    ? { error: { code: 'CONFIG_INVALID', message: 'the configuration has 1 problem', hint: 'correct it' } }
    : { counts: plan.counts, digests: plan.digests }),
  ...more,
})

export const aWorkspace = (more: Partial<Omit<Workspace, 'lastRun'>> = {}): Omit<Workspace, 'lastRun'> => ({
  id: 'acme',
  schedule: 'rate(15 minutes)',
  timezone: 'UTC',
  nextCheckAt: at,
  configuration: digest('configuration'),
  updatedAt: at,
  updatedBy: ada,
  ...more,
})

export const aBundle = (text = 'workspace: acme'): Bundle => ({
  entry: 'plumbline.yaml',
  files: { 'plumbline.yaml': text },
})

export const anApply = (n: number, more: Partial<Apply> = {}): Apply => ({
  id: anId(n),
  workspace: 'acme',
  mode: 'execute',
  status: 'queued',
  digest: digest('commands'),
  run: anId(1),
  reason: 'repair',
  actor: ada,
  requestedAt: at,
  outcomes: [],
  ...more,
})

export const aResource = (name: string, attributes: RecordedResource['attributes'] = { ttl: 1 }): RecordedResource => ({
  address: `pdns_zone.${name}`,
  type: 'pdns_zone',
  name,
  provider: 'dns',
  attributes,
  dependsOn: [],
  lifecycle: {},
})

export const aCommand = (more: Partial<Command> = {}): Command => ({
  id: 'pdns_zone.main#1',
  address: 'pdns_zone.main',
  action: 'update',
  description: 'replace 1 rrset',
  request: { method: 'PATCH', url: 'http://127.0.0.1:8081/api/v1/zones/acme.example.', effect: 'write' },
  grade: 'reversible',
  dependsOn: [],
  ...more,
})

export const aDraft = (n: number, more: Partial<LedgerDraft> = {}): LedgerDraft => ({
  workspace: 'acme',
  at: new Date(Date.parse(at) + n * 1000).toISOString(),
  kind: 'intent',
  mode: 'execute',
  apply: anId(1),
  run: anId(2),
  actor: ada,
  reason: 'repair',
  digest: digest('commands'),
  command: JSON.parse(JSON.stringify(aCommand())),
  ...more,
})
