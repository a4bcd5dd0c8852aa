import {
  type Actor,
  AppError,
  type Apply,
  defined,
  type ErrorCode,
  type ErrorPayload,
  errorTable,
  type Run,
  type Workspace,
} from '#core'
import { instanceOf, problemOf } from './problem.ts'
import type { Problem } from './shapes.ts'

const workspace = 'acme-dns'
const run = '01KAJ5V4X7Q2M3N4P5R6S7T8V9'
const apply = '01KAJ5X0C1D2E3F4G5H6J7K8M9'
const digestOf = (letter: string): string => `sha256:${letter.repeat(64)}`
const actor: Actor = { subject: 'ada@acme.example', issuer: 'https://login.acme.example', via: 'api' }

const exampleRun: Run = {
  id: run,
  workspace,
  status: 'changes',
  trigger: 'schedule',
  scheduledFor: '2026-11-21T06:00:00.000Z',
  actor: { subject: 'schedule', via: 'schedule' },
  startedAt: '2026-11-21T06:00:01.120Z',
  finishedAt: '2026-11-21T06:00:02.480Z',
  counts: {
    create: 0,
    update: 1,
    replace: 0,
    delete: 0,
    blocked: 0,
    unchanged: 11,
    unchecked: 0,
    drifted: 1,
    commands: 1,
  },
  digests: { observed: digestOf('a'), plan: digestOf('b'), commands: digestOf('c') },
  configurationDigest: digestOf('d'),
}

const exampleWorkspace: Workspace = {
  id: workspace,
  schedule: 'rate(15 minutes)',
  timezone: 'Europe/Berlin',
  nextCheckAt: '2026-11-21T06:15:00.000Z',
  configurationDigest: digestOf('d'),
  updatedAt: '2026-11-20T14:00:00.000Z',
  updatedBy: actor,
  lastRun: {
    id: run,
    status: 'changes',
    finishedAt: exampleRun.finishedAt,
    ...defined({ counts: exampleRun.counts }),
  },
}

const queued: Apply = {
  id: apply,
  workspace,
  mode: 'execute',
  status: 'queued',
  digest: digestOf('c'),
  runId: run,
  reason: 'restore the TTL that was changed by hand',
  actor,
  requestedAt: '2026-11-21T06:10:00.000Z',
  outcomes: [],
}

const ended: Apply = {
  ...queued,
  status: 'succeeded',
  startedAt: '2026-11-21T06:10:00.400Z',
  finishedAt: '2026-11-21T06:10:01.900Z',
  outcomes: [{ command: 'pdns_zone.main#1', status: 'succeeded', httpStatus: 204 }],
}

const yaml = 'workspace: acme-dns\nschedule: rate(15 minutes)\nproviders: {}\nresources: []\n'

/** Of requests, by operation and media type. */
export const bodyExamples: Readonly<Record<string, unknown>> = {
  'putWorkspace.application/json': { entry: 'plumbline.yaml', files: { 'plumbline.yaml': yaml } },
  'putWorkspace.application/yaml': yaml,
  'putWorkspace.text/yaml': yaml,
  'pauseWorkspace.application/json': { reason: 'the zone moves to another server this week' },
  'resumeWorkspace.application/json': { reason: 'the zone has moved' },
  'requestApply.application/json': { mode: 'execute', digest: queued.digest, reason: queued.reason },
}

/** Of answers, by operation and status. */
export const answerExamples: Readonly<Record<string, unknown>> = {
  'listWorkspaces.200': { items: [exampleWorkspace] },
  'getWorkspace.200': exampleWorkspace,
  'putWorkspace.200': exampleWorkspace,
  'removeWorkspace.200': { workspace, removedAt: '2026-11-21T07:00:00.000Z' },
  'pauseWorkspace.200': {
    ...exampleWorkspace,
    paused: { at: '2026-11-21T07:00:00.000Z', by: actor, reason: 'the zone moves to another server this week' },
  },
  'resumeWorkspace.200': exampleWorkspace,
  'checkWorkspace.200': exampleRun,
  'checkWorkspace.202': { workspace, requestedAt: '2026-11-21T06:05:00.000Z', queued: true },
  'listRuns.200': { items: [exampleRun] },
  'getRun.200': exampleRun,
  'requestApply.200': ended,
  'requestApply.202': queued,
  'listApplies.200': { items: [ended] },
  'getApply.200': ended,
  'verifyLedger.200': { ok: true, workspace, entries: 4, head: digestOf('e') },
  'getHealth.200': { status: 'ok' },
}

const payloads: { readonly [Code in ErrorCode]?: ErrorPayload<Code> } = {
  APPROVAL_DIFFERS: {
    digest: digestOf('c'),
    targets: ['pdns_zone.main'],
    narrow: digestOf('f'),
    commands: 1,
  },
  ALL_BLOCKED: {
    blocked: [{ command: 'pdns_zone.main', status: 'blocked', detail: 'prevent_destroy: it may not be destroyed' }],
  },
  APPLY_FAILED: { command: 'pdns_zone.main#1', detail: 'the target answered 500' },
  APPLY_NOT_FOUND: { apply },
  BODY_TOO_LARGE: { limit: 1_000_000 },
  CONFIG_INVALID: {
    issues: [
      {
        file: 'plumbline.yaml',
        line: 7,
        column: 5,
        message: 'unknown member',
        value: 'ressources',
        fix: 'did you mean resources?',
      },
    ],
  },
  GRAPH_CYCLE: { cycle: ['host_file.a', 'host_file.b', 'host_file.a'] },
  IDEMPOTENCY_REUSED: { key: 'deploy-42' },
  LOCK_LOST: { workspace },
  LOCKED: { workspace, holder: apply, until: '2026-11-21T06:10:30.000Z' },
  MEDIA_TYPE_UNSUPPORTED: { found: 'text/html', known: ['application/json'] },
  NOT_ACCEPTABLE: { detail: 'there are: application/json' },
  PLAN_NOT_FOUND: { digest: digestOf('c') },
  POLICY_REFUSED: { detail: '21 commands, of which `maxChanges` allows 20' },
  REQUEST_FAILED: { method: 'GET', url: 'http://127.0.0.1:8081/api/v1/servers', detail: 'connection refused' },
  REQUEST_INVALID: { problems: ['query.limit: too big: expected number to be <=200'] },
  RUN_NOT_FOUND: { run },
  RUN_WITHOUT_PLAN: { run },
  SCOPE_MISSING: { needs: 'apply' },
  SECRET_UNRESOLVED: { source: 'env:PDNS_API_KEY', detail: 'it is not set' },
  STALE_PLAN: {
    approved: digestOf('c'),
    current: digestOf('f'),
    command: 'pdns_zone.main#1',
    detail: 'would have another body',
    sent: 0,
  },
  QUEUE_UNAVAILABLE: { queue: 'checks', detail: 'TimeoutError' },
  STORE_CONFLICT: { what: `workspace ${workspace}` },
  STORE_FULL: { detail: 'the disk is full' },
  STORE_UNAVAILABLE: { detail: 'time-out' },
  TARGET_CHANGED: { address: 'pdns_zone.main', command: 'pdns_zone.main#2', detail: 'rrsets[www.acme.example. A].ttl' },
  TARGET_UNKNOWN: { target: 'pdns_zone.mian' },
  TARGET_UNREAD: {
    address: 'pdns_zone.main',
    detail: 'GET http://127.0.0.1:8081/api/v1/servers failed: connect ECONNREFUSED 127.0.0.1:8081',
    more: 2,
    sent: 0,
  },
  UNAUTHENTICATED: { detail: 'the token has no subject' },
  WORKSPACE_CLAIMED: {
    workspace,
    here: 'laptop:/home/ada/acme-copy',
    there: 'runner:/srv/acme',
    at: '2026-11-21T06:00:00.000Z',
    by: 'ada@acme.example',
  },
  WORKSPACE_REMOVED: { workspace, at: '2026-11-21T07:00:00.000Z', by: 'ada@acme.example', reason: 'it has moved' },
  WORKSPACE_MISMATCH: { expected: workspace, found: 'acme' },
  WORKSPACE_NOT_FOUND: { workspace },
}

/** The problem document of a code, as a caller sees it. */
export const problemExample = <Code extends ErrorCode>(code: Code): Problem => {
  const payload: ErrorPayload<Code> | undefined = payloads[code]
  const request = 'Vd2kQhJ1joEEPPA='
  if (payload !== undefined) return problemOf(new AppError(code, payload), request)
  const { status } = errorTable[code]
  return { ...problemOf(undefined, request), status, instance: instanceOf(request) }
}
