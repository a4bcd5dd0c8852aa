import { digest } from '../../../core/engine/json/digest.ts'
import type { LedgerDraft } from '../../../core/engine/ledger/link.ts'
import type { Actor } from '../../../core/engine/schema/actor.ts'
import type { RecordedResource } from '../../../core/engine/schema/resource.ts'
import type { Bundle } from '../../../core/engine/schema/stored/bundle.ts'
import type { Alert } from '../../../core/engine/schema/stored/findings.ts'
import type { Change, Plan, Unchecked } from '../../../core/engine/schema/stored/plan.ts'
import type { Apply, Run, Workspace } from '../../../core/engine/schema/stored/records.ts'
import { aCommand } from './commands.ts'
import { aChange as anyChange, aPlan as anyPlan, updated } from './plans.ts'

const ada: Actor = { subject: 'ada', via: 'api' }
const at = '2026-03-01T06:00:00.000Z'

/** Ids that sort by their number, as ULIDs do by time. */
export const anId = (n: number): string => `01J${String(n).padStart(23, '0')}`

export const aChange = (address: string, more: Partial<Change> = {}): Change =>
  anyChange({
    address,
    provider: 'dns',
    action: 'update',
    before: { ttl: 1 },
    after: { ttl: 2 },
    diff: updated(1, 2),
    causes: [{ path: ['ttl'], cause: 'drift' }],
    ...more,
  })

/** Of workspace `acme`; other changes give it other digests. */
export const aPlan = (
  changes: readonly Change[] = [],
  unchecked: readonly Unchecked[] = [],
  more: Partial<Plan> = {},
): Plan =>
  anyPlan({
    workspace: 'acme',
    changes,
    unchecked,
    digests: { observed: digest('observed'), plan: digest(changes), commands: digest(['commands', changes]) },
    ...more,
  })

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

/** As a push stores it: the store gives it its version. */
type PushedWorkspace = Omit<Workspace, 'lastRun' | 'configurationVersion'>

export const aWorkspace = (more: Partial<PushedWorkspace> = {}): PushedWorkspace => ({
  id: 'acme',
  schedule: 'rate(15 minutes)',
  timezone: 'UTC',
  nextCheckAt: at,
  configurationDigest: digest('configuration'),
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
  runId: anId(1),
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

export const anAlert = (n: number, more: Partial<Alert> = {}): Alert => ({
  version: '2',
  id: anId(n),
  workspace: 'acme',
  episodeId: anId(1),
  kind: 'opened',
  about: 'drift',
  severity: 'medium',
  at: '2026-11-21T06:00:00.000Z',
  runId: anId(1),
  findings: [],
  findingsLeftOut: 0,
  ...more,
})

export const aDraft = (n: number, more: Partial<LedgerDraft> = {}): LedgerDraft => ({
  workspace: 'acme',
  at: new Date(Date.parse(at) + n * 1000).toISOString(),
  kind: 'intent',
  mode: 'execute',
  applyId: anId(1),
  runId: anId(2),
  actor: ada,
  reason: 'repair',
  digest: digest('commands'),
  command: JSON.parse(JSON.stringify(aCommand('pdns_zone.main#1'))),
  ...more,
})
