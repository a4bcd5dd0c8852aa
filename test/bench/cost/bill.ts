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

/** What stands whatever the fleet does. test/infra/cost.test.ts compares it with the template. */
export const standing = { alarms: 27, keys: 3, functions: 5, queues: 2 } as const

/** Not counted, because only AWS can: said in the output. */
export const assumed = {
  /** Seconds of an invocation before its first request, and of each request to the store. */
  begin: 0.05,
  perStored: 0.006,
  /** Seconds of processor time for each resource of a check. */
  perResource: 0.001,
  /** Bytes that an invocation writes to its log, with those of Lambda. */
  logged: 2_000,
  /** Lambda asks each queue with so many connections, for 20 seconds each: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
  pollers: 5,
  /** Metrics that get a value in each hour: those of the watch, and those of checks that are queued and done. */
  metrics: { always: 2, ofChecks: 2 },
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

const secondsOf = ({ stored, asked, waited }: Counted, { latency, concurrency }: Fleet): number =>
  stored * assumed.perStored + asked * assumed.perResource + ((asked / concurrency) * latency) / 1000 + waited

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
export const billOf = (fleet: Fleet, measured: Measured): readonly Line[] => {
  const { prices } = table
  const { checks, check, schedule, watch } = workOf(fleet, measured)
  const work = [...check, ...schedule, ...watch]
  const invocations = { check: checks, schedule: minutes, watch: minutes / 5 }
  const memory = { check: fleet.memory, schedule: 1024, watch: 512 }
  const gigabyteSeconds = (name: keyof typeof invocations, parts: readonly Times[]): number =>
    ((parts.reduce((sum, { counted, times }) => sum + secondsOf(counted, fleet) * times, 0) +
      invocations[name] * assumed.begin) *
      memory[name]) /
    1024
  const invoked = invocations.check + invocations.schedule + invocations.watch
  const polls = (minutes * 3 * assumed.pollers) as number
  const metrics = assumed.metrics.always + (checks > 0 ? assumed.metrics.ofChecks : 0)
  const kept = (sumOf(check, 'added') * assumed.keptDays) / 30 / gigabyte
  const line = (what: string, amount: number, unit: string, price: number, moves = true): Line => ({
    what,
    amount,
    unit,
    money: amount * price,
    moves,
  })
  return [
    line('DynamoDB writes', sumOf(work, 'written'), 'units', prices.writeUnit),
    line('DynamoDB reads', sumOf(work, 'read'), 'units', prices.readUnit),
    line('DynamoDB storage, backed up', kept, 'GB', prices.storedGigabyte + prices.backedUpGigabyte),
    line('Lambda, check', gigabyteSeconds('check', check), 'GB-s', prices.lambdaGigabyteSecond),
    line(
      'Lambda, schedule and watch',
      gigabyteSeconds('schedule', schedule) + gigabyteSeconds('watch', watch),
      'GB-s',
      prices.lambdaGigabyteSecond,
    ),
    line('Lambda, invocations', invoked, 'requests', prices.lambdaRequest),
    line('SQS, messages', checks * 2.1, 'requests', prices.queueRequest),
    line('Logs', (invoked * assumed.logged) / gigabyte, 'GB', prices.loggedGigabyte),
    line(
      'SQS, polling by Lambda',
      polls * standing.queues,
      'requests',
      (prices.queueRequest + prices.fifoQueueRequest) / 2,
      false,
    ),
    line('Scheduler', minutes, 'calls', prices.scheduledInvocation, false),
    line('CloudWatch alarms', standing.alarms, 'alarms', prices.alarm, false),
    line('CloudWatch metrics', metrics, 'metrics', prices.metric, false),
    line('KMS keys', standing.keys, 'keys', prices.key, false),
    line('KMS requests', standing.functions * (minutes / 5), 'requests', prices.keyRequest, false),
  ]
}
