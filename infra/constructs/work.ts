import { Duration, type Stack } from 'aws-cdk-lib'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { HandlerName } from '../handlers.ts'
import { retentionVariables } from '../retention.ts'
import type { Settings } from '../settings.ts'
import type { Access } from './access.ts'
import type { SigningAction } from './anchors.ts'
import type { HandlerProps } from './handler.ts'
import type { People } from './identity.ts'
import { applyTimeout, checkTimeout, type Queues } from './queues.ts'

/** What a function has and may. */
export interface FunctionWork {
  readonly timeout: Duration
  readonly memory: number
  readonly partitions: Access
  readonly sends?: readonly IQueue[]
  /** The dead letters of its queue, where it puts messages that it can never process. */
  readonly givesUp?: IQueue
  readonly publishes?: boolean
  /** True: the function reaches targets with their secrets, from the network that the settings name. */
  readonly reachesTargets?: boolean
  /** True: the function reads the secrets of webhooks, and no others. */
  readonly verifiesWebhooks?: boolean
  /** The function keeps heads of ledgers, with these rights on the key that signs them. */
  readonly anchors?: readonly SigningAction[]
  readonly environment?: HandlerProps['environment']
}

interface WorkProps {
  readonly stack: Stack
  readonly queues: Queues
  readonly people: People
  readonly settings: Pick<Settings, 'machines' | 'secretNames' | 'overdueAfterMinutes' | 'memory' | 'retention'>
}

/** The five functions, each with no more than its work needs. */
export const workOf = ({ stack, queues, people, settings }: WorkProps): Readonly<Record<HandlerName, FunctionWork>> => {
  const { check, apply, deadChecks, deadApplies } = queues
  const { machines, secretNames, overdueAfterMinutes, memory, retention } = settings
  const { scopePrefix, groups, groupsClaim, issuer, signIn } = people
  const text = (value: object | undefined) => value && stack.toJsonString(value)
  return {
    // Finds due checks, sends left alerts and messages, and ends abandoned applies; it reads neither targets nor
    // secrets.
    schedule: {
      timeout: Duration.seconds(50),
      memory: 1024,
      partitions: { write: ['DUE*', 'QUARANTINE', 'APPLIES', 'W#*', 'A#*', 'OUTBOX', 'ANCHORS'], append: ['L#*'] },
      sends: [check, apply],
      publishes: true,
      anchors: ['kms:Sign', 'kms:GetPublicKey'],
    },
    // Pulls a configuration from its repository, reads targets, keeps their answers, stores the results, and
    // continues in another invocation. It cannot write to the ledger, and of applies and locks it
    // can only read.
    check: {
      timeout: checkTimeout,
      memory,
      partitions: { read: ['A#*'], write: ['W#*', 'H#*', 'HOME#*', 'DUE*', 'OUTBOX', 'DIR', 'QUARANTINE'] },
      sends: [check],
      givesUp: deadChecks,
      publishes: true,
      reachesTargets: true,
    },
    // Sends the approved commands; appends to the ledger and can delete nothing from it.
    apply: {
      timeout: applyTimeout,
      memory,
      partitions: {
        write: ['W#*', 'A#*', 'H#*', 'HOME#*', 'DUE*', 'APPLIES', 'OUTBOX', 'ANCHORS'],
        append: ['L#*'],
      },
      sends: [apply],
      givesUp: deadApplies,
      publishes: true,
      anchors: ['kms:Sign'],
      reachesTargets: true,
    },
    // Answers people and machines; the work itself goes through the queues.
    api: {
      timeout: Duration.seconds(29),
      // A push of 100,000 resources takes 1,400 MB, and one second of a whole processor for each 8,000 of them.
      memory: 2048,
      partitions: {
        write: ['DUE*', 'QUARANTINE', 'APPLIES', 'OUTBOX', 'DIR', 'W#*', 'A#*', 'H#*', 'HOME#*'],
        append: ['L#*'],
      },
      sends: [check, apply],
      verifiesWebhooks: true,
      environment: {
        SCOPE_PREFIX: scopePrefix,
        SECRET_NAMES: secretNames.join(','),
        REQUIRED_SCOPES_IAM: machines && JSON.stringify(machines),
        GROUPS_CLAIM: groupsClaim,
        GROUP_RIGHTS: groups && JSON.stringify(groups),
        ...retentionVariables(retention),
        SIGN_IN: text(signIn && { issuer, ...signIn }),
      },
    },
    // Measures the age of the records; it changes nothing.
    watch: {
      timeout: Duration.minutes(2),
      memory: 512,
      partitions: { read: ['DIR', 'DUE*', 'W#*', 'QUARANTINE', 'OUTBOX', 'ANCHORS'] },
      environment: { OVERDUE_AFTER_MINUTES: String(overdueAfterMinutes) },
    },
  }
}
