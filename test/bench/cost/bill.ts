import table from './prices.json' with { type: 'json' }

/* The month of a fleet in money: plain arithmetic on what was counted. A month has 30 days. */

export interface Fleet {
  readonly workspaces: number
  /** Of each workspace. */
  readonly resources: number
  /** Part of the resources that are always drifted, from 0 to 1. */
  readonly drift: number
  /** Minutes between two checks of a workspace. */
  readonly interval: number
  /** Workspaces, besides the others, whose target accepts requests and never answers. */
  readonly hanging: number
  /** Milliseconds of an answer of a target. */
  readonly latency: number
  /** Megabytes of the functions that check and apply. */
  readonly memory: number
  /** Requests of a check under way at once. */
  readonly concurrency: number
  /** Checks that share an invocation, from 1 to 10; 0: as many as are due in the same minute when all are spread evenly. */
  readonly together: number
  /** Workspaces that have the same secret; each has one. */
  readonly sharing: number
  /** Part of the secrets that are in Secrets Manager, from 0 to 1; the others are parameters with a key. */
  readonly manager: number
}

/** Of one piece of work. */
export interface Counted {
  readonly read: number
  readonly written: number
  /** Requests to the store, one after the other. */
  readonly stored: number
  /** Bytes that it adds to the store. */
  readonly added: number
  /** Requests to targets. */
  readonly asked: number
  /** Seconds that targets keep it waiting without an answer. */
  readonly waited: number
}

export interface Measured {
  readonly check: Counted
  readonly hangingCheck: Counted
  /** A tick when nothing is due, and what each due workspace adds. */
  readonly tick: Counted
  readonly due: Counted
  /** The look at what is overdue: with no workspace, and for each. */
  readonly watch: Counted
  readonly watched: Counted
}

/** What can be counted as it was before, to see what a change of it is worth. */
export interface Standing {
  readonly alarms: number
  readonly keys: number
  readonly functions: number
  readonly queues: number
  /** Metrics that get a value in each hour: those of the watch, and those of checks that are queued and done. */
  readonly metrics: { readonly always: number; readonly ofChecks: number }
}

/** What stands whatever the fleet does. test/infra/cost.test.ts compares it with the template. */
export const standing: Standing = {
  alarms: 27,
  keys: 3,
  functions: 5,
  queues: 2,
  metrics: { always: 2, ofChecks: 2 },
}

/** Not counted, because only AWS can: said in the output. */
export const assumed = {
  /** Seconds of an invocation before its first request, and of each request to the store. */
  begin: 0.05,
  perStored: 0.006,
  /** Seconds of processor time for each resource of a check. */
  perResource: 0.001,
  /** Bytes that an invocation writes to its log, with those of Lambda, and that each of its checks adds. */
  logged: 1_400,
  loggedByCheck: 600,
  /** Lambda asks each queue with so many connections, for 20 seconds each: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
  pollers: 5,
  /** Minutes for which a function keeps a secret that it has read. */
  keptSecret: 5,
  /** Days for which a run that found nothing is kept. */
  keptDays: 30,
} as const

const minutes = 30 * 24 * 60
const gigabyte = 1_000_000_000

export interface Line {
  readonly what: string
  /** How many, in the unit of the price. */
  readonly amount: number
  readonly unit: string
  readonly money: number
  /** Whether it grows with the fleet. */
  readonly moves: boolean
}

interface Times {
  readonly counted: Counted
  readonly times: number
}

const sumOf = (all: readonly Times[], member: keyof Counted): number =>
  all.reduce((sum, { counted, times }) => sum + counted[member] * times, 0)

const processorSecondsOf = ({ asked }: Counted): number => asked * assumed.perResource

const waitingSecondsOf = ({ stored, asked, waited }: Counted, { latency, concurrency }: Fleet): number =>
  stored * assumed.perStored + ((asked / concurrency) * latency) / 1000 + waited

const secondsOf = (counted: Counted, fleet: Fleet): number =>
  processorSecondsOf(counted) + waitingSecondsOf(counted, fleet)

/** Checks in one invocation. */
const togetherOf = ({ together, workspaces, hanging, interval }: Fleet): number =>
  together > 0 ? together : Math.min(10, Math.max(1, (workspaces + hanging) / interval))

/**
 * Invocations of the checks of a month, and the seconds of all of them. Checks of one invocation share the processor and wait
 * at the same time, for as long as the slowest of them.
 */
const checkInvocations = (fleet: Fleet, { check, hangingCheck }: Measured, checks: number) => {
  const together = togetherOf(fleet)
  const all = fleet.workspaces + fleet.hanging
  const hanging = all === 0 ? 0 : fleet.hanging / all
  const someHangs = 1 - (1 - hanging) ** together
  const processor = (1 - hanging) * processorSecondsOf(check) + hanging * processorSecondsOf(hangingCheck)
  const waiting = (1 - someHangs) * waitingSecondsOf(check, fleet) + someHangs * waitingSecondsOf(hangingCheck, fleet)
  const invocations = checks / together
  return { invocations, seconds: invocations * (assumed.begin + together * processor + waiting) }
}

/** Secrets read in a month. A container keeps what it has read for some minutes, for all workspaces. */
const secretReads = ({ workspaces, hanging, sharing }: Fleet, checks: number, seconds: number): number => {
  if (checks === 0) return 0
  const containers = Math.ceil(seconds / (minutes * 60))
  const inReach = (checks / minutes / containers) * assumed.keptSecret
  const different = (workspaces + hanging) / sharing
  return (checks * Math.min(inReach, different)) / inReach
}

/** Of a month, by function. */
const workOf = (fleet: Fleet, measured: Measured) => {
  const checks = (fleet.workspaces * minutes) / fleet.interval
  const hanging = (fleet.hanging * minutes) / fleet.interval
  const all = fleet.workspaces + fleet.hanging
  return {
    checks: checks + hanging,
    check: [
      { counted: measured.check, times: checks },
      { counted: measured.hangingCheck, times: hanging },
    ],
    schedule: [
      { counted: measured.tick, times: minutes },
      { counted: measured.due, times: checks + hanging },
    ],
    watch: [
      { counted: measured.watch, times: minutes / 5 },
      { counted: measured.watched, times: (minutes / 5) * all },
    ],
  }
}

/** The lines of the bill, those that do not move with the fleet last. */
export const billOf = (fleet: Fleet, measured: Measured, stands: Standing = standing): readonly Line[] => {
  const { prices } = table
  const { checks, check, schedule, watch } = workOf(fleet, measured)
  const work = [...check, ...schedule, ...watch]
  const ofChecks = checkInvocations(fleet, measured, checks)
  const gigabyteSeconds = (parts: readonly Times[], times: number, memory: number): number =>
    ((parts.reduce((sum, { counted, times: each }) => sum + secondsOf(counted, fleet) * each, 0) +
      times * assumed.begin) *
      memory) /
    1024
  // Where several checks come together, the size of each is read first.
  const sized = togetherOf(fleet) > 1 ? checks : 0
  const beside = gigabyteSeconds(schedule, minutes, 1024) + gigabyteSeconds(watch, minutes / 5, 512)
  const invoked = ofChecks.invocations + minutes + minutes / 5
  const logged = invoked * assumed.logged + checks * assumed.loggedByCheck
  const polls = minutes * 3 * assumed.pollers
  const metrics = stands.metrics.always + (checks > 0 ? stands.metrics.ofChecks : 0)
  const kept = (sumOf(check, 'added') * assumed.keptDays) / 30 / gigabyte
  const reads = secretReads(fleet, checks, ofChecks.seconds)
  const secrets = ((fleet.workspaces + fleet.hanging) / fleet.sharing) * fleet.manager
  const line = (what: string, amount: number, unit: string, price: number, moves = true): Line => ({
    what,
    amount,
    unit,
    money: amount * price,
    moves,
  })
  return [
    line('DynamoDB writes', sumOf(work, 'written'), 'units', prices.writeUnit),
    line('DynamoDB reads', sumOf(work, 'read') + sized, 'units', prices.readUnit),
    line('DynamoDB storage, backed up', kept, 'GB', prices.storedGigabyte + prices.backedUpGigabyte),
    line('Lambda, check', (ofChecks.seconds * fleet.memory) / 1024, 'GB-s', prices.lambdaGigabyteSecond),
    line('Lambda, schedule and watch', beside, 'GB-s', prices.lambdaGigabyteSecond),
    line('Lambda, invocations', invoked, 'requests', prices.lambdaRequest),
    // Ten are sent with one request; what is received together is deleted together.
    line('SQS, messages', checks * 0.1 + ofChecks.invocations * 2, 'requests', prices.queueRequest),
    line('Logs', logged / gigabyte, 'GB', prices.loggedGigabyte),
    line('KMS, parameters read', reads * (1 - fleet.manager), 'requests', prices.keyRequest),
    line('Secrets Manager, reads', reads * fleet.manager, 'requests', prices.secretRequest),
    line('Secrets Manager, secrets', secrets, 'secrets', prices.secret),
    line(
      'SQS, polling by Lambda',
      polls * stands.queues,
      'requests',
      (prices.queueRequest + prices.fifoQueueRequest) / 2,
      false,
    ),
    line('Scheduler', minutes, 'calls', prices.scheduledInvocation, false),
    line('CloudWatch alarms', stands.alarms, 'alarms', prices.alarm, false),
    line('CloudWatch metrics', metrics, 'metrics', prices.metric, false),
    line('KMS keys', stands.keys, 'keys', prices.key, false),
    line('KMS requests', stands.functions * (minutes / 5), 'requests', prices.keyRequest, false),
  ]
}
