import type { Apply, Episode, LedgerEntry, Run, Workspace } from '../../../core/index.ts'

/*
 * Answers of the API in a few words. Each builder fills in what a case does not care about; test/page/scene/stand-in.ts compares
 * what it sends with the published description of the API.
 */

const hash = (n: number): string => `sha256:${n.toString(16).padStart(64, '0')}`

const minuteMs = 60_000
const dayMs = 86_400_000

/** So many minutes ago, or with a negative number in the future. */
export const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * minuteMs).toISOString()

const noCounts = {
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  blocked: 0,
  unchanged: 24,
  unchecked: 0,
  drifted: 0,
  commands: 0,
}

type Status = Run['status']

const countsOf = (status: Status): Run['counts'] => {
  if (status === 'changes') return { ...noCounts, update: 2, drifted: 2, commands: 2 }
  return status === 'incomplete' ? { ...noCounts, unchecked: 3 } : noCounts
}

/** The worst of 30 days, the last one first. */
const daysOf = (...worst: readonly Status[]): NonNullable<Workspace['days']> => ({
  until: new Date().toISOString().slice(0, 10),
  worst: [...Array<Status>(30 - worst.length).fill('in_sync'), ...worst.toReversed()],
})

export const aRun = (over: Partial<Run> = {}): Run => {
  const { status = 'in_sync' } = over
  const failed = { code: 'TARGET_UNREACHABLE', message: 'dns.acme.example does not answer', hint: 'check the network' }
  return {
    id: '01M8RUN0000000000000000001',
    workspace: 'acme-dns',
    status,
    trigger: 'schedule',
    actor: { subject: 'schedule', via: 'schedule' },
    startedAt: minutesAgo(3),
    finishedAt: minutesAgo(3),
    ...(status === 'failed'
      ? { error: failed }
      : { counts: countsOf(status), digests: { observed: hash(1), plan: hash(2), commands: hash(3) } }),
    ...over,
  } as Run
}

/** A check as its workspace lists it. */
export const lastRunOf = ({
  id,
  status,
  finishedAt,
  counts,
  digests,
  error,
}: Run): NonNullable<Workspace['lastRun']> => ({
  id,
  status,
  finishedAt,
  ...(counts && { counts }),
  ...(digests && { digests }),
  ...(error && { code: error.code }),
})

/** `status` of its last check; `new`: it was not checked yet. */
export const aWorkspace = (id: string, status: Status | 'new', over: Partial<Workspace> = {}): Workspace => {
  return {
    id,
    schedule: 'rate(15 minutes)',
    timezone: 'UTC',
    blackout: [],
    nextCheckAt: minutesAgo(-12),
    configurationDigest: hash(4),
    configurationVersion: 7,
    updatedAt: minutesAgo(4_000),
    updatedBy: { subject: 'mona@acme.example', via: 'api' },
    ...(status !== 'new' && { lastRun: lastRunOf(aRun({ status })), days: daysOf(status) }),
    ...(status === 'changes' && { openEpisodes: { count: 1, severity: 'medium' as const } }),
    ...over,
  } as Workspace
}

export const anApply = (over: Partial<Apply> = {}): Apply =>
  ({
    id: '01M8APPLY00000000000000001',
    workspace: 'acme-dns',
    mode: 'execute',
    status: 'succeeded',
    digest: `sha256:${'9c'.repeat(32)}`,
    runId: '01M8RUN0000000000000000001',
    configurationVersion: 7,
    reason: 'www points to the wrong address again',
    actor: { subject: 'mona@acme.example', via: 'api', issuer: 'https://sso.acme.example' },
    requestedAt: minutesAgo(2),
    startedAt: minutesAgo(2),
    finishedAt: minutesAgo(1),
    outcomes: [],
    ...over,
  }) as Apply

export const anEpisode = (over: Partial<Episode> = {}): Episode =>
  ({
    id: '01M8EPISODE000000000000001',
    workspace: 'acme-dns',
    key: 'drift',
    status: 'open',
    openedAt: minutesAgo(33),
    changedAt: minutesAgo(18),
    toldAt: minutesAgo(18),
    fingerprint: hash(5),
    findings: [
      {
        address: 'pdns_zone.main',
        kind: 'update',
        summary: 'rrsets[www.example.org. A].ttl',
        severity: 'medium',
        digest: hash(6),
        changed: {
          after: minutesAgo(48),
          by: [{ actor: 'otto', at: minutesAgo(40), action: 'zone.edit', paths: [''] }],
        },
      },
    ],
    ...over,
  }) as Episode

export const anEntry = (seq: number, over: Partial<LedgerEntry> = {}): LedgerEntry =>
  ({
    workspace: 'acme-dns',
    seq,
    at: minutesAgo(120 - seq),
    kind: 'intent',
    mode: 'execute',
    applyId: '01M8APPLY00000000000000001',
    runId: '01M8RUN0000000000000000001',
    actor: { subject: 'mona@acme.example', via: 'api' },
    reason: 'www points to the wrong address again',
    digest: hash(3),
    previous: hash(seq),
    hash: hash(seq + 1),
    ...over,
  }) as LedgerEntry

/** So many quarters of a day ago. */
const statusAt = (n: number): Status => {
  if (n === 0 || (n > 20 && n < 29)) return 'changes'
  if (n > 40 && n < 46) return 'failed'
  return n > 60 && n < 64 ? 'incomplete' : 'in_sync'
}

/** Runs of 30 days, one each six hours: some with drift, some unchecked, some failed. */
export const runsOf30Days = (): readonly Run[] =>
  Array.from({ length: 120 }, (_, n) => {
    const status = statusAt(n)
    const at = new Date(Date.now() - n * (dayMs / 4)).toISOString()
    return aRun({ id: `01M8RUN${String(n).padStart(19, '0')}`, status, startedAt: at, finishedAt: at })
  })

export const everyRight = ['read', 'check', 'apply', 'irreversible', 'configure'] as const
