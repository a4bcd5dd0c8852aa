import { describe, expect, it } from 'vitest'
import { AppError, failureOf } from '../../../core/engine/errors/errors.ts'
import type { Alert, Episode } from '../../../core/engine/schema/stored/findings.ts'
import type { CommandOutcome, Left, ResourceResult } from '../../../core/engine/schema/stored/outcome.ts'
import type { Apply, LedgerEntry, Run } from '../../../core/engine/schema/stored/records.ts'
import { countResults } from '../../../core/engine/workflows/apply/approved/resource-results.ts'
import { renderAlert } from '../../../core/pages/render/plain/render-alert.ts'
import { renderApply } from '../../../core/pages/render/plain/render-applies.ts'
import { renderCommands } from '../../../core/pages/render/plain/render-commands.ts'
import { renderEpisodes } from '../../../core/pages/render/plain/render-episodes.ts'
import { renderError, renderIssues } from '../../../core/pages/render/plain/render-error.ts'
import { renderLedger, renderVerdict } from '../../../core/pages/render/plain/render-ledger.ts'
import { renderRun, renderRuns, renderWorkspaces } from '../../../core/pages/render/plain/render-runs.ts'
import {
  aChange,
  aCommand,
  aPlan,
  created,
  fullPlan,
  list,
  object,
  same,
  text,
  updated,
} from '../../builders/values/plans.ts'
import { renderPlan } from '../../builders/values/rendered.ts'

/*
 * Pages as people see them, byte for byte, in test/goldens. Read a changed one like prose before it is accepted
 * (`npx vitest -u`), and say in the commit why it changed.
 */
const golden = (name: string): string => `../../goldens/${name}`

/** The page itself is one line, for machines. Here what fits into a line stays in one. */
const indented = (json: string): string => `${broken(JSON.parse(json), '')}\n`

const broken = (value: unknown, margin: string): string => {
  const line = JSON.stringify(value)
  if (line.length + margin.length <= 110 || typeof value !== 'object' || value === null) return line
  const inner = `${margin}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Object.entries(value).map(([name, part]) =>
    Array.isArray(value) ? broken(part, inner) : `${JSON.stringify(name)}: ${broken(part, inner)}`,
  )
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`
}

const at = '2026-11-21T06:00:00.123Z'
const digest = fullPlan.digests.commands

const longPlan = aPlan({
  workspace: 'long-texts',
  notLookedInto: ['web_page', 'web_page_with_a_long_name', 'web_redirect_of_a_page', 'web_site'].map((type) => ({
    type,
    provider: 'web',
    detail: 'only what is beside the declared ones, within the same site and the same page of it',
  })),
  changes: [
    aChange({
      address: 'module.eu.web_page_with_a_very_long_type_name.and_a_name_that_does_not_want_to_end_either',
      action: 'update',
      position: { file: 'modules/web/plumbline.yaml', line: 3, column: 3 },
      diff: object({
        title: updated('a'.repeat(120), `${'a'.repeat(60)}B${'a'.repeat(59)}`),
        banner: created('\u001b[2J\u202etxt.exe'),
        body: text([' first', '-last', '+last', '+']),
        policy: {
          kind: 'json',
          action: 'update',
          inner: object({
            Version: same('2012-10-17'),
            Statement: list([same({ Sid: 'a' }), created({ Sid: 'b' }), same({ Sid: 'c' })], 'update', ['a', 'b', 'c']),
          }),
        },
        spelling: { kind: 'json', action: 'update', inner: same({ a: 1 }) },
        settings: created({
          deeply: { nested: ['values', 'that', 'do', 'not', 'fit', 'into', 'one', 'line'], more: true },
        }),
        'odd name': updated(null, ''),
        日本語: updated('ありがとう', 'どういたしまして'),
      }),
      causes: [{ path: [], cause: 'conflict' }],
    }),
  ],
  commands: [
    aCommand({
      address: 'web_page.home',
      description: 'write the page',
      grade: 'lossy',
      precondition: { kind: 'field', pointer: '/generation', value: 7 },
      request: {
        method: 'PUT',
        url: 'http://h/pages/home?draft=no',
        effect: 'write',
        auth: { kind: 'query', name: 'key', secret: { $secret: 'secretsmanager:web/key' } },
        body: {
          text: 'line one\nline two\twith a tab\nand a line that goes on and on and on, to the end of the page and beyond it\n',
          link: {
            $concat: ['https://', { $after: 'web_host.a', pointer: '/name' }, '/x?token=', { $secret: 'env:TOKEN' }],
          },
          literal: { $literal: { $secret: 'is plain JSON here' } },
        },
      },
    }),
  ],
})

const deployed = 'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com'
const uncheckedPlan = aPlan({
  unchecked: [
    { address: 'pdns_zone.main', reason: 'timeout', detail: 'GET http://127.0.0.1:8081/ took longer than 10 s' },
  ],
})
const adoptedPlan = aPlan({
  drift: [
    {
      address: 'pdns_zone.main',
      type: 'pdns_zone',
      name: 'main',
      kind: 'changed',
      diff: object({ kind: updated('Native', 'Master') }),
    },
  ],
})

describe('pages of plans', () => {
  it.each([
    ['full.width-100.txt', renderPlan(fullPlan, { format: 'text', at })],
    ['full.width-80.txt', renderPlan(fullPlan, { format: 'text', width: 80 })],
    ['full.colour.txt', renderPlan(fullPlan, { format: 'text', color: true, width: 120 })],
    ['full.summary.txt', renderPlan(fullPlan, { format: 'summary' })],
    ['full.md', renderPlan(fullPlan, { format: 'markdown', at })],
    ['full.json', indented(renderPlan(fullPlan, { format: 'json', at }))],
    ['long.txt', renderPlan(longPlan, { format: 'text', width: 80 })],
    ['long.md', renderPlan(longPlan, { format: 'markdown' })],
    ['in-sync.txt', renderPlan(aPlan(), { format: 'text' })],
    ['in-sync.md', renderPlan(aPlan(), { format: 'markdown' })],
    ['unchecked.txt', renderPlan(uncheckedPlan, { format: 'text' })],
    ['adopted.txt', renderPlan(adoptedPlan, { format: 'text' })],
    ['adopted.summary.txt', renderPlan(adoptedPlan, { format: 'summary' })],
    ['commands.txt', renderCommands(longPlan.commands, { width: 80 })],
    ['no-commands.txt', renderCommands([])],
  ])('look exactly like the golden file %s', async (name, page) => {
    await expect(page).toMatchFileSnapshot(golden(name))
  })
})

const alert = (over: Partial<Alert> = {}): Alert => ({
  version: '2',
  id: '01ALERT',
  workspace: 'acme-dns',
  episodeId: '01EPISODE',
  kind: 'opened',
  about: 'drift',
  severity: 'high',
  at,
  runId: '01RUN',
  counts: fullPlan.counts,
  digest,
  findings: fullPlan.changes.map(({ address, action }) => ({
    address,
    kind: action,
    summary: 'kind, rrsets[www A].ttl',
    digest,
  })),
  findingsLeftOut: 0,
  ...over,
})

const unchecked: Partial<Alert> = {
  about: 'unchecked',
  severity: 'medium',
  causes: [
    { reason: 'unauthorised', detail: 'GET https://mq.acme.example/api/queues: 401', count: 1 },
    { reason: 'deadline', detail: 'the target did not answer within 30 s', count: 1 },
  ],
  findings: [
    { address: 'rabbitmq_queue.jobs', kind: 'unchecked', summary: 'unauthorised', digest },
    { address: 'rabbitmq_queue.late', kind: 'unchecked', summary: 'deadline', digest },
  ],
}

describe('pages of alerts', () => {
  it.each([
    ['alert-opened.txt', alert({ since: alert({}).at, findingsLeftOut: 1200 })],
    ['alert-reminder.txt', alert({ kind: 'reminder', since: '2026-11-19T00:00:00.000Z' })],
    [
      'alert-resolved.txt',
      alert({ kind: 'resolved', since: '2026-11-19T00:00:00.000Z', findings: [], counts: aPlan().counts }),
    ],
    [
      'alert-resolved-in-part.txt',
      alert({ kind: 'resolved', findings: [], counts: { ...aPlan().counts, unchecked: 2 } }),
    ],
    [
      'alert-resolved-unseen.txt',
      alert({ kind: 'resolved', findings: [], counts: { ...aPlan().counts, unobserved: 1 } }),
    ],
    [
      'alert-closed.txt',
      alert({
        kind: 'resolved',
        since: '2026-11-19T00:00:00.000Z',
        findings: alert({}).findings.map((finding, n) =>
          n === 0 ? finding : { ...finding, left: n === 1 ? ('ignored' as const) : ('below_severity' as const) },
        ),
      }),
    ],
    ['alert-unchecked.txt', alert(unchecked)],
    ['alert-deployed.txt', alert({ endpoint: deployed, page: `${deployed}/#/w/acme-dns/runs/01RUN` })],
  ])('look exactly like the golden file %s', async (name, given) => {
    const forms = (['subject', 'sms', 'text'] as const).map((form) => `--- ${form}\n${renderAlert(given, { form })}`)
    await expect(forms.join('\n')).toMatchFileSnapshot(golden(name))
  })

  it.each(['subject', 'sms'] as const)('are short and in ASCII in the form %s', (form) => {
    const line = renderAlert(alert({ workspace: `é\n${'x'.repeat(200)}` }), { form })
    expect(line).toMatch(/^[\x20-\x7e]+$/)
    expect(line.length).toBeLessThanOrEqual(form === 'subject' ? 100 : 160)
  })

  it.each(['x', '[', '|', '`', '~x', '\u{1F6A8}', 'e\u0301'])(
    'are one SMS, however long the name of %j',
    (character) => {
      const line = renderAlert(alert({ workspace: character.repeat(200) }), { form: 'sms' })
      // The alphabet of GSM 03.38: its extension table costs two of 160 septets, and anything else makes it UCS-2.
      expect(line).toMatch(/^[ -_a-~]+\.\.\.$/)
      const septets = [...line].reduce((sum, each) => sum + ('[\\]^{|}~'.includes(each) ? 2 : 1), 0)
      expect(septets).toBeLessThanOrEqual(160)
      expect(septets).toBeGreaterThanOrEqual(158)
    },
  )
})

const actor = { subject: 'alice@example.org', via: 'api', issuer: 'https://id.example' } as const
const run = (over: Partial<Run> = {}): Run => ({
  id: '01RUN',
  workspace: 'acme-dns',
  status: 'changes',
  trigger: 'schedule',
  actor: { subject: 'schedule', via: 'schedule' },
  startedAt: at,
  finishedAt: '2026-11-21T06:00:04.000Z',
  counts: fullPlan.counts,
  digests: fullPlan.digests,
  ...over,
})
const failedRun = run({
  id: '01RUM',
  status: 'failed',
  trigger: 'cli',
  error: {
    code: 'SECRET_UNRESOLVED',
    message: 'the secret env:X cannot be resolved: it is not set',
    hint: 'set it where this process runs',
  },
})
const { counts: _, digests: __, ...bareRun } = failedRun
const cleanRun = run({ id: '01RUK', status: 'in_sync', counts: aPlan().counts })

const outcomes: readonly CommandOutcome[] = [
  { command: 'pdns_zone.main#1', status: 'succeeded', httpStatus: 204 },
  { command: 'rabbitmq_user.jobs#1', status: 'failed', httpStatus: 409, detail: '{"error":"conflict"}\u001b[2J' },
  { command: 'rabbitmq_user.jobs#2', status: 'skipped', detail: 'rabbitmq_user.jobs#1 did not succeed' },
  { command: 'pdns_zone.old#1', status: 'unknown', detail: 'DELETE http://h/ failed: reset' },
  { command: 'pdns_zone.b#1', status: 'found_done' },
]
const resources: readonly ResourceResult[] = [
  { address: 'pdns_zone.main', commands: 1, result: 'applied', verdict: 'in_sync' },
  { address: 'rabbitmq_user.jobs', commands: 2, result: 'failed', verdict: 'differs' },
  {
    address: 'rabbitmq_permission.jobs',
    commands: 1,
    result: 'skipped',
    because: 'rabbitmq_user.jobs',
    verdict: 'differs',
  },
  { address: 'pdns_zone.old', commands: 1, result: 'failed', verdict: 'unknown' },
  { address: 'pdns_zone.b', commands: 1, result: 'applied', verdict: 'differs' },
  { address: 'pdns_zone.kept', commands: 0, result: 'remaining', verdict: 'differs' },
]
/** What became of the first `n` resources. */
const resultsOf = (n: number): Pick<Apply, 'startedAt' | 'resources' | 'results'> => ({
  startedAt: at,
  resources: resources.slice(0, n),
  results: countResults(resources.slice(0, n)),
})
const leftOfResults: Left[] = [
  { address: 'rabbitmq_user.jobs', kind: 'differs', touched: true, paths: ['tags', 'limits.max-queues'] },
  { address: 'rabbitmq_permission.jobs', kind: 'differs', touched: true, paths: [], detail: 'it does not exist' },
  { address: 'pdns_zone.old', kind: 'unchecked', touched: true, paths: [], detail: 'GET http://h/ failed: reset' },
  { address: 'pdns_zone.b', kind: 'differs', touched: true, paths: ['kind'] },
  { address: 'pdns_zone.kept', kind: 'differs', touched: true, paths: ['kind'], detail: 'blocked by lifecycle' },
  { address: 'pdns_zone.other', kind: 'differs', touched: false, paths: ['kind'] },
]
const apply = (over: Partial<Apply> = {}): Apply => ({
  id: '01APPLY',
  workspace: 'acme-dns',
  mode: 'execute',
  status: 'failed',
  digest,
  runId: '01RUN',
  reason: 'CHG-1234',
  actor,
  requestedAt: at,
  outcomes: [...outcomes],
  ...over,
})
const stale = {
  code: 'STALE_PLAN',
  message: 'what was approved is not what would be sent now; nothing was sent',
  hint: 'check again',
}

const entry = (seq: number, over: Partial<LedgerEntry>): LedgerEntry => ({
  workspace: 'acme-dns',
  seq,
  at,
  kind: 'intent',
  mode: 'execute',
  applyId: '01APPLY',
  runId: '01RUN',
  actor,
  reason: 'CHG-1234',
  digest,
  previous: digest,
  hash: digest,
  ...over,
})
const command = JSON.parse(JSON.stringify(fullPlan.commands[0])) as NonNullable<LedgerEntry['command']>
const ledger = [
  entry(1, { kind: 'started' }),
  entry(2, { command }),
  entry(3, { kind: 'attempt', attempt: 1, command }),
  entry(4, { kind: 'result', command, outcome: { command: 'pdns_zone.main#1', status: 'succeeded', httpStatus: 204 } }),
  entry(5, { kind: 'logged', mode: 'check', command, outcome: { command: 'pdns_zone.main#1', status: 'logged' } }),
  entry(6, { kind: 'finished', detail: 'succeeded', results: { applied: 1, failed: 0, skipped: 0, remaining: 0 } }),
]

const workspace = {
  id: 'acme-dns',
  schedule: 'rate(15 minutes)',
  configurationDigest: digest,
  configurationVersion: 1,
  updatedAt: at,
  updatedBy: actor,
}

const left = [
  { address: 'pdns_zone.main', kind: 'differs', touched: true, paths: ['kind', 'rrsets[www.acme.example. A].ttl'] },
  { address: 'pdns_zone.other', kind: 'differs', touched: false, paths: [], detail: 'it does not exist' },
  { address: 'rabbitmq_user.jobs', kind: 'unchecked', touched: false, paths: [], detail: 'forbidden: HTTP 403' },
] satisfies Apply['left']
const notConverged = failureOf(new AppError('NOT_CONVERGED', { left: left.slice(0, 1) }))

const silent = 'http://api.test does not answer (no whole answer within 30000 ms), and was not asked again'
const late = {
  reason: 'deadline',
  detail: 'reading this workspace takes longer than the 600 s that it has',
  count: 6,
} as const
const unread = (count: number): NonNullable<Run['counts']> => ({ ...fullPlan.counts, ...nothing, unchecked: count })
const nothing = { create: 0, update: 0, replace: 0, delete: 0, blocked: 0, drifted: 0, unchanged: 0, commands: 0 }
const muteRun = run({
  status: 'incomplete',
  counts: unread(100),
  causes: [{ reason: 'timeout', detail: silent, count: 100 }],
})
const patchyRun = run({
  status: 'incomplete',
  counts: unread(26),
  causes: [{ reason: 'timeout', detail: silent, count: 20 }, late],
})

const ada = { subject: 'ada', via: 'api' } as const
const quiet = { at: '2026-11-21T06:05:00.000Z', by: ada }
const openEpisode: Episode = {
  id: '01KAJ5V4X7Q2M3N4P5R6S7T8VB',
  workspace: 'acme-dns',
  key: 'drift',
  status: 'open',
  openedAt: '2026-11-21T06:00:00.000Z',
  changedAt: '2026-11-21T06:00:00.000Z',
  toldAt: '2026-11-21T06:00:00.000Z',
  findings: [{ address: 'pdns_zone.main', kind: 'update', summary: 'ttl', severity: 'high', digest }],
  fingerprint: digest,
  acknowledged: { ...quiet, reason: 'I am \u001b[2J on it', severity: 'high' },
  snoozed: { ...quiet, reason: 'it moves on Monday', until: '2026-11-24T06:00:00.000Z' },
}
const episodes: readonly Episode[] = [
  openEpisode,
  { ...openEpisode, key: 'unchecked', status: 'resolved', resolvedAt: '2026-11-21T07:00:00.000Z', findings: [] },
]

describe('pages of records', () => {
  it.each([
    ['runs.txt', renderRuns([run(), bareRun, cleanRun, muteRun, patchyRun])],
    ['run.txt', renderRun(run()) + renderRun(bareRun) + renderRun(patchyRun)],
    [
      'workspaces.txt',
      renderWorkspaces([
        { ...workspace, lastRun: run() },
        { ...workspace, id: 'b' },
      ]),
    ],
    ['apply-failed.txt', renderApply(apply({ ...resultsOf(6), left: leftOfResults }))],
    [
      'apply-running.txt',
      renderApply(
        apply({
          status: 'failed',
          outcomes: [{ command: 'pdns_zone.main#1', status: 'unknown', running: true, detail: 'it is CREATING' }],
        }),
      ),
    ],
    [
      'apply-done.txt',
      renderApply(
        apply({ status: 'succeeded', outcomes: outcomes.slice(0, 1), targets: ['pdns_zone.main'], ...resultsOf(1) }),
      ),
    ],
    [
      'apply-left.txt',
      renderApply(apply({ status: 'succeeded', outcomes: outcomes.slice(0, 1), left: left.slice(1) })) +
        renderApply(apply({ status: 'not_converged', outcomes: outcomes.slice(0, 1), left, error: notConverged })),
    ],
    [
      'apply-check.txt',
      renderApply(
        apply({ status: 'succeeded', mode: 'check', outcomes: [{ command: 'pdns_zone.main#1', status: 'logged' }] }),
      ),
    ],
    ['apply-refused.txt', renderApply(apply({ status: 'refused', outcomes: [], error: stale }))],
    [
      'apply-others.txt',
      (['queued', 'running', 'not_converged'] as const)
        .map((status) => renderApply(apply({ status, outcomes: [] })))
        .join(''),
    ],
    ['ledger.txt', renderLedger(ledger)],
    ['ledger.width-120.txt', renderLedger(ledger, { width: 120 })],
    [
      'verdicts.txt',
      renderVerdict({ ok: true, workspace: 'acme-dns', entries: 5, head: digest }) +
        renderVerdict({ ok: true, workspace: 'acme-dns', entries: 5, head: digest, from: 3 }) +
        renderVerdict({ ok: false, seq: 3, detail: 'it was changed after it was written' }),
    ],
    ['episodes.txt', renderEpisodes(episodes)],
    ['empty.txt', renderRuns([]) + renderEpisodes([]) + renderLedger([]) + renderWorkspaces([])],
    ['error.txt', renderError({ code: 'STALE_PLAN', message: 'first\nsecond \u001b[2J', hint: 'check again' })],
    [
      'issues.txt',
      renderIssues([
        {
          file: 'plumbline.yaml',
          line: 12,
          column: 3,
          message: 'there is no attribute "knd"',
          value: 'knd',
          fix: 'write kind',
        },
        { file: 'plumbline.yaml', line: 3, column: 1, message: 'workspace is missing', fix: 'add workspace' },
        { file: 'a.yaml', line: 30, column: 1, message: 'not YAML', fix: 'close the quote' },
      ]),
    ],
  ])('look exactly like the golden file %s', async (name, page) => {
    await expect(page).toMatchFileSnapshot(golden(name))
  })
})
