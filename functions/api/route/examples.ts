import type {
  Actor,
  Apply,
  Episode,
  Run,
  StateBackup,
  StateChanged,
  StateDocument,
  StateList,
  StateShown,
  Version,
  VersionDiff,
  Workspace,
} from '#core'

const workspace = 'acme-dns'
const runId = '01KAJ5V4X7Q2M3N4P5R6S7T8V9'
const digestOf = (letter: string): string => `sha256:${letter.repeat(64)}`
export const exampleActor: Actor = { subject: 'ada@acme.example', issuer: 'https://login.acme.example', via: 'api' }

const counts = {
  create: 0,
  update: 1,
  replace: 0,
  delete: 0,
  blocked: 0,
  unchanged: 11,
  unchecked: 0,
  drifted: 1,
  commands: 1,
}

export const exampleRun: Run = {
  id: runId,
  workspace,
  status: 'changes',
  trigger: 'schedule',
  scheduledFor: '2026-11-21T06:00:00.000Z',
  actor: { subject: 'schedule', via: 'schedule' },
  startedAt: '2026-11-21T06:00:01.120Z',
  finishedAt: '2026-11-21T06:00:02.480Z',
  counts,
  digests: { observed: digestOf('a'), plan: digestOf('b'), commands: digestOf('c') },
  configurationDigest: digestOf('d'),
  configurationVersion: 12,
}

export const exampleWorkspace: Workspace = {
  id: workspace,
  schedule: 'rate(15 minutes)',
  timezone: 'Europe/Berlin',
  nextCheckAt: '2026-11-21T06:15:00.000Z',
  configurationDigest: digestOf('d'),
  configurationVersion: 12,
  updatedAt: '2026-11-20T14:00:00.000Z',
  updatedBy: exampleActor,
  lastRun: { id: runId, status: 'changes', finishedAt: exampleRun.finishedAt, counts },
  days: { until: '2026-11-21', worst: [...Array.from({ length: 28 }, () => null), 'in_sync', 'changes'] },
  openEpisodes: { count: 1, severity: 'medium' },
}

const seen = '2026-11-21T06:05:00.000Z'

export const exampleEpisode = {
  id: '01KAJ5V4X7Q2M3N4P5R6S7T8VB',
  workspace,
  key: 'drift',
  status: 'open',
  openedAt: exampleRun.startedAt,
  changedAt: exampleRun.startedAt,
  toldAt: exampleRun.startedAt,
  findings: [{ address: 'pdns_zone.main', kind: 'update', summary: 'ttl', severity: 'medium', digest: digestOf('a') }],
  fingerprint: digestOf('b'),
  acknowledged: { at: seen, by: exampleActor, reason: 'I am on it', severity: 'medium' },
  snoozed: { at: seen, by: exampleActor, reason: 'the zone moves on Monday', until: '2026-11-24T06:00:00.000Z' },
} as const satisfies Episode

export const queuedApply: Apply = {
  id: '01KAJ5X0C1D2E3F4G5H6J7K8M9',
  workspace,
  mode: 'execute',
  status: 'queued',
  digest: digestOf('c'),
  runId,
  configurationVersion: 12,
  reason: 'restore the TTL that was changed by hand',
  actor: exampleActor,
  requestedAt: '2026-11-21T06:10:00.000Z',
  outcomes: [],
  resources: [{ address: 'pdns_zone.main', commands: 1, result: 'remaining' }],
  results: { applied: 0, failed: 0, skipped: 0, remaining: 1 },
}

export const endedApply: Apply = {
  ...queuedApply,
  status: 'succeeded',
  startedAt: '2026-11-21T06:10:00.400Z',
  finishedAt: '2026-11-21T06:10:01.900Z',
  outcomes: [{ command: 'pdns_zone.main#1', status: 'succeeded', httpStatus: 204 }],
  resources: [{ address: 'pdns_zone.main', commands: 1, result: 'applied', verdict: 'in_sync' }],
  results: { applied: 1, failed: 0, skipped: 0, remaining: 0 },
}

export const exampleSource: NonNullable<Workspace['source']> = {
  github: {
    repository: 'acme/config',
    ref: 'main',
    path: 'workspaces/dns',
    token: { secret: `ssm:/plumbline/${workspace}/github-token` },
    webhookSecret: { secret: `ssm:/plumbline/${workspace}/webhook` },
  },
  at: '2026-11-20T14:00:00.000Z',
  by: exampleActor,
}

export const exampleVersion: Version = {
  version: 12,
  at: '2026-11-20T14:00:00.000Z',
  by: exampleActor,
  digest: digestOf('d'),
  changes: {
    resources: { added: 0, removed: 0, changed: 1 },
    files: { added: 0, removed: 0, changed: 1 },
  },
}

export const exampleDiff: VersionDiff = {
  workspace,
  from: { ...exampleVersion, version: 11, at: '2026-11-19T09:30:00.000Z', digest: digestOf('e') },
  to: exampleVersion,
  resources: [{ address: 'pdns_zone.main', kind: 'changed' }],
  variables: [],
  files: [
    {
      file: 'plumbline.yaml',
      kind: 'changed',
      diff: '--- a/plumbline.yaml\n+++ b/plumbline.yaml\n@@ -7,1 +7,1 @@\n-    ttl: 300\n+    ttl: 60\n',
    },
  ],
}

const lineage = '3f6f1c9e-6a52-4b57-9d0e-0a2f4f1f7f60'
const zone: StateDocument['resources'][number] = {
  address: 'pdns_zone.main',
  type: 'pdns_zone',
  name: 'main',
  provider: 'dns',
  attributes: { name: 'acme.example.', kind: 'Native', apiKey: { $sealed: `hmac-sha256:1f2e3d4c:${'a'.repeat(64)}` } },
  ids: { id: 'acme.example.' },
  lastApplied: { applyId: endedApply.id, runId, actor: exampleActor, at: '2026-11-21T06:10:01.500Z' },
  dependsOn: [],
  lifecycle: {},
  digest: digestOf('e'),
}
const { address, type, provider, ids = {}, lastApplied, digest } = zone
const entry = { address, type, provider, foundBy: 'ids' as const, ids, ...(lastApplied && { lastApplied }), digest }

const backup = { id: '01KAJ5Z0C1D2E3F4G5H6J7K8M9', until: '2027-02-19T06:20:00.000Z' }
const before = 'forgotten' as const

export const exampleState: {
  readonly backup: StateBackup
  readonly changed: StateChanged
  readonly list: StateList
  readonly shown: StateShown
  readonly document: StateDocument
} = {
  backup: {
    ...backup,
    workspace,
    lineage,
    serial: 42,
    resources: 12,
    at: '2026-11-21T06:20:00.000Z',
    before,
    actor: exampleActor,
    reason: 'team B has the zone now',
  },
  changed: { workspace, change: before, lineage, before: 42, after: 43, addresses: [address], backup },
  list: { workspace, lineage, serial: 42, resources: [entry] },
  shown: { workspace, lineage, serial: 42, resource: zone },
  document: { formatVersion: '2', workspace, lineage, serial: 42, resources: [zone], digest: digestOf('f') },
}

const { outcomes: _, resources: __, ...listed } = endedApply
export const listedApply = listed
