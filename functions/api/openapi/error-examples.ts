import { AppError, type ErrorCode, type ErrorPayload } from '#core'
import { problemOf } from '../route/problem.ts'
import type { Problem } from '../route/shapes.ts'

const workspace = 'acme-dns'
const run = '01KAJ5V4X7Q2M3N4P5R6S7T8V9'
const apply = '01KAJ5X0C1D2E3F4G5H6J7K8M9'
const digest = (letter: string): string => `sha256:${letter.repeat(64)}`
const zone = { method: 'GET', url: 'http://127.0.0.1:8081/api/v1/servers/localhost/zones' }

/** One payload for each code, as users see it: for the OpenAPI document, docs/errors.md and the tests. */
export const errorExamples: { readonly [Code in ErrorCode]: ErrorPayload<Code> } = {
  ADDRESS_REFUSED: { ...zone, address: '127.0.0.1' },
  ALERT_REFUSED: { detail: 'AuthorizationErrorException' },
  ALL_BLOCKED: {
    blocked: [{ command: 'pdns_zone.main', status: 'blocked', detail: 'prevent_destroy: it may not be destroyed' }],
  },
  APPLY_FAILED: { command: 'pdns_zone.main#1', detail: 'the target answered 500' },
  APPLY_NOT_FOUND: { apply },
  APPLY_STRANDED: { apply: '01KAJ5X0C1D2E3F4G5H6J7K8M9', resent: 5 },
  APPLY_UNFINISHED: { workspace, apply },
  APPROVAL_DIFFERS: {
    digest: digest('c'),
    targets: ['pdns_zone.main'],
    exclude: [],
    narrow: digest('f'),
    commands: 1,
  },
  BACKUP_NOT_FOUND: { workspace, backup: '01KAJ5Z0C1D2E3F4G5H6J7K8M9' },
  BODY_TOO_LARGE: { limit: 1_000_000 },
  BUDGET_EXCEEDED: { of: 'a list', limit: '134217728 bytes' },
  CHECK_LOST: { workspace: 'acme-dns', requestedAt: '2026-11-21T06:10:30.000Z' },
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
  CONFIG_NOT_FOUND: { path: '/srv/acme' },
  DEADLINE_REACHED: { of: 'reading this workspace', seconds: 600 },
  DEV_RUNNING: { folder: '/srv/acme', process: 'process 4711, http://127.0.0.1:8787' },
  ENDPOINT_FAILED: { endpoint: 'https://plumbline.acme.example', detail: '502 Bad Gateway' },
  ENGINE_MISSING: { platform: 'darwin-arm64' },
  ENVIRONMENT_INVALID: { problems: ['TABLE_NAME is not set'] },
  EXEC_UNAVAILABLE: { program: 'git', detail: 'no programs are run here' },
  FILE_REFUSED: { path: '/srv/acme/.plumbline', detail: 'permission denied' },
  GRAPH_CYCLE: { cycle: ['host_file.a', 'host_file.b', 'host_file.a'] },
  HOST_SILENT: { what: 'https://dns.acme.example', detail: 'no whole answer within 30000 ms', reason: 'timeout' },
  IDEMPOTENCY_REUSED: { key: 'deploy-42' },
  INTERNAL: { detail: 'a request contains a value of which only the digest is known' },
  INTERRUPTED: { what: 'the check' },
  KEY_INVALID: { file: '/srv/acme/.plumbline/seal.key', detail: 'its 0 bytes are not 32 bytes in Base64' },
  LOCKED: { workspace, holder: apply, until: '2026-11-21T06:10:30.000Z' },
  LOCK_LOST: { workspace },
  MEDIA_TYPE_UNSUPPORTED: { found: 'text/html', known: ['application/json'] },
  METHOD_NOT_ALLOWED: { method: 'DELETE', path: '/v1/workspaces', allowed: ['GET'] },
  MOVE_REFUSED: {
    from: 'pdns_zone.old',
    to: 'pdns_record.main',
    detail: 'the record is a pdns_zone, and the address is that of a pdns_record',
  },
  NOT_ACCEPTABLE: { detail: 'there are: application/json' },
  NOT_CONVERGED: {
    left: [{ address: 'pdns_zone.main', kind: 'differs', touched: true, paths: ['kind', 'rrsets[www].ttl'] }],
  },
  OBJECT_CHANGED: {
    object: 'dss_dataset.orders#definition',
    detail: 'it changed since the plan, at a place that no attribute shows',
  },
  PLAN_NOT_FOUND: { digest: digest('c') },
  POLICY_REFUSED: { detail: '21 commands, of which `maxChanges` allows 20' },
  PORT_IN_USE: { port: 8787, purpose: 'endpoint' },
  QUEUE_UNAVAILABLE: { queue: 'checks', detail: 'TimeoutError' },
  REQUEST_FAILED: { method: 'GET', url: 'http://127.0.0.1:8081/api/v1/servers', detail: 'connection refused' },
  REQUEST_FOREIGN: { detail: 'its Host is not this machine' },
  REQUEST_INCOMPLETE: { ...zone, detail: 'pdns_zone.main answered no value at "/ids/id" that fits' },
  REQUEST_INVALID: { problems: ['query.limit: too big: expected number to be <=200'] },
  RESPONSE_INVALID: { ...zone, detail: 'it is declared as application/json, but the body is incomplete' },
  RESPONSE_TOO_LARGE: { ...zone, limit: 10_000_000 },
  ROUTE_NOT_FOUND: { method: 'GET', path: '/v1/workspace' },
  RUN_NOT_FOUND: { run },
  RUN_WITHOUT_PLAN: { run },
  SCHEDULE_INVALID: { detail: '"rate(0 minutes)" is not a whole number of minutes, hours or days' },
  SCOPE_MISSING: { needs: 'apply' },
  SECRET_UNRESOLVED: { source: 'env:PDNS_API_KEY', detail: 'it is not set' },
  SIGN_IN_FAILED: {
    method: 'POST',
    url: 'https://id.acme.example/token',
    detail: 'answered 401 (invalid_client)',
    reason: 'unauthorised',
  },
  SAVED_PLAN_STALE: { moved: [{ what: 'serial', approved: 5, now: 7 }], unread: 0 },
  NOT_REFRESHED: { method: 'GET', url: 'https://dns.acme.example/zones' },
  PLAN_FILE_INVALID: { file: 'plan.json', detail: 'it was changed after it was written' },
  STALE_PLAN: {
    approved: digest('c'),
    current: digest('f'),
    command: 'pdns_zone.main#1',
    detail: 'would have another body',
    sent: 0,
  },
  RECORD_NOT_FOUND: { workspace, address: 'pdns_zone.mian' },
  STATE_FOREIGN: { of: 'workspace', stored: workspace, found: 'acme' },
  STATE_INVALID: { detail: '/resources/3/ids/id: invalid input: expected string, received number' },
  STATE_NEWER: { found: '2', known: '1' },
  STATE_NOT_FOUND: { workspace },
  STATE_OUTDATED: { stored: 42, found: 40 },
  STORE_CONFLICT: { what: `workspace ${workspace}` },
  STORE_CORRUPT: { what: 'plan of run 01KAJ5X0C1D2E3F4G5H6J7K8M9', detail: '1 of 3 chunks are missing' },
  STORE_FULL: { detail: 'the disk is full' },
  STORE_IN_USE: { file: '/srv/acme/.plumbline/store.db', holder: '4711' },
  STORE_UNAVAILABLE: { detail: 'time-out' },
  TARGET_CHANGED: { address: 'pdns_zone.main', command: 'pdns_zone.main#2', detail: 'rrsets[www.acme.example. A].ttl' },
  TARGET_STALE: { address: 'dss_dataset.orders', command: 'dss_dataset.orders#1', status: 412 },
  TARGET_EXCLUDED: { target: 'pdns_zone.main', exclude: ['pdns_zone.main'] },
  TARGET_UNKNOWN: { target: 'pdns_zone.mian' },
  TARGET_UNREAD: {
    address: 'pdns_zone.main',
    detail: 'GET http://127.0.0.1:8081/api/v1/servers failed: connect ECONNREFUSED 127.0.0.1:8081',
    more: 2,
    sent: 0,
  },
  TEMPLATE_VALUE_MISSING: { variable: 'desired.owner', detail: 'has no value' },
  UNAUTHENTICATED: { detail: 'the token has no subject' },
  USAGE: { detail: 'a reason is missing: --reason "why"' },
  WORKSPACE_CLAIMED: {
    workspace,
    here: 'laptop:/home/ada/acme-copy',
    there: 'runner:/srv/acme',
    at: '2026-11-21T06:00:00.000Z',
    by: 'ada@acme.example',
  },
  WORKSPACE_MISMATCH: { expected: workspace, found: 'acme' },
  WORKSPACE_NOT_FOUND: { workspace },
  WORKSPACE_REMOVED: { workspace, at: '2026-11-21T07:00:00.000Z', by: 'ada@acme.example', reason: 'it has moved' },
  WRITE_IN_CHECK: { method: 'PUT', url: zone.url },
}

/** The problem document of a code, as a caller sees it. */
export const problemExample = (code: ErrorCode): Problem =>
  problemOf(new AppError(code, errorExamples[code]), 'Vd2kQhJ1joEEPPA=')
