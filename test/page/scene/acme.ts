import { fullPlan } from '../../builders/values/plans.ts'
import { anApply, anEntry, anEpisode, aRun, aWorkspace, lastRunOf, minutesAgo, runsOf30Days } from './answers.ts'
import type { Scene } from './stand-in.ts'

/** The check whose commands are approved. */
const run = aRun({ status: 'changes', counts: fullPlan.counts, digests: fullPlan.digests })

const version = (n: number, reason: string) => ({
  version: n,
  at: minutesAgo(900 - n * 100),
  by: { subject: 'mona@acme.example', via: 'api' },
  digest: `sha256:${String(n).repeat(64)}`,
  reason,
})

const [older, newer] = [version(6, 'a zone for the shop'), version(7, 'longer times to live')]

const seen = {
  at: minutesAgo(10),
  by: { subject: 'mona@acme.example', via: 'api' },
  reason: 'the DNS team looks at it',
}

/** A fleet of a company, with a workspace in each state, and all that one of them has. */
export const acmeScene = (over: Partial<Scene> = {}): Scene => ({
  workspaces: [
    aWorkspace('acme-dns', 'changes', { lastRun: lastRunOf(run) }),
    aWorkspace('acme-github', 'failed'),
    aWorkspace('acme-queues', 'incomplete'),
    aWorkspace('acme-shop', 'in_sync'),
    aWorkspace('acme-web', 'in_sync', { paused: seen } as never),
    aWorkspace('acme-wiki', 'in_sync', {
      nextCheckAt: minutesAgo(90),
      lastRun: lastRunOf(aRun({ finishedAt: minutesAgo(105) })),
    }),
    aWorkspace('acme-mail', 'new'),
  ],
  run,
  runs: runsOf30Days(),
  plan: fullPlan,
  apply: anApply({
    outcomes: [
      { command: 'pdns_zone.main#1', status: 'succeeded', httpStatus: 204 },
      { command: 'rabbitmq_user.jobs#1', status: 'failed', httpStatus: 409, detail: 'the name is taken' },
      { command: 'pdns_zone.old#1', status: 'skipped' },
      { command: 'shop_order.cups#1', status: 'unknown', running: true, httpStatus: 202 },
    ] as never,
    resources: [
      { address: 'pdns_zone.main', commands: 1, result: 'applied', verdict: 'in_sync', besides: ['api_rectify'] },
      { address: 'rabbitmq_user.jobs', commands: 1, result: 'failed', unobserved: ['password'] },
    ] as never,
    status: 'failed',
    error: { code: 'COMMAND_FAILED', message: 'rabbitmq_user.jobs#1 failed: HTTP 409', hint: 'look at the target' },
  }),
  episodes: [
    anEpisode({ acknowledged: { ...seen, severity: 'medium' } as never }),
    anEpisode({
      id: '01M8EPISODE000000000000002',
      key: 'unchecked',
      status: 'resolved',
      openedAt: minutesAgo(420),
      toldAt: minutesAgo(420),
      resolvedAt: minutesAgo(300),
    }),
  ],
  entries: [
    anEntry(5, { kind: 'finished', detail: 'all commands succeeded' }),
    anEntry(4, { kind: 'result', outcome: { command: 'pdns_zone.main#1', status: 'succeeded', httpStatus: 204 } }),
    anEntry(3, { kind: 'attempt' }),
    anEntry(2),
    anEntry(1, { kind: 'started' }),
  ],
  versions: [newer, older],
  difference: {
    workspace: 'acme-dns',
    from: older,
    to: newer,
    resources: [{ address: 'pdns_zone.main', kind: 'changed' }],
    variables: [],
    files: [
      { file: 'plumbline.yaml', kind: 'changed', diff: '@@ -14,1 +14,1 @@\n-      ttl: 300\n+      ttl: 3600\n' },
    ],
  },
  ...over,
})

/** Each view of the page, by its name. */
export const views = {
  fleet: '#/',
  workspace: '#/w/acme-dns',
  approve: `#/w/acme-dns/approve/${run.id}`,
  applied: '#/w/acme-dns/applies/01M8APPLY00000000000000001',
  history: '#/w/acme-dns/history',
  alerts: '#/w/acme-dns/alerts',
  files: '#/w/acme-dns/files',
  ledger: '#/w/acme-dns/ledger',
} as const

/** What is seen once a view is there. */
export const shownIn: Readonly<Record<keyof typeof views, string>> = {
  fleet: 'li.fleet-row',
  workspace: '.block',
  approve: '.send',
  applied: '.chooser li',
  history: '.plot canvas',
  alerts: '.episode',
  files: 'pre ins',
  ledger: '.entries li',
}
