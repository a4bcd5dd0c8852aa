import { Duration } from 'aws-cdk-lib'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'

/** Longest run of a check; one workspace is read as a whole. */
export const checkTimeout = Duration.minutes(15)
/** An apply hands itself over between two commands before this, so that a crash is taken up again soon. */
export const applyTimeout = Duration.minutes(5)
const retention = Duration.days(14)

/** Work between the functions: checks in any order, applies in order within a workspace. Each has its dead letters. */
export class Queues extends Construct {
  readonly check: Queue
  readonly apply: Queue
  /** Ticks of the schedule that nobody took. */
  readonly deadTicks: Queue
  readonly dead: readonly Queue[]

  constructor(scope: Construct, id: string, props: { readonly key: IKey }) {
    super(scope, id)
    const shared = { encryption: QueueEncryption.KMS, encryptionMasterKey: props.key, enforceSSL: true }
    const deadCheck = new Queue(this, 'DeadChecks', { ...shared, retentionPeriod: retention })
    const deadApply = new Queue(this, 'DeadApplies', { ...shared, retentionPeriod: retention, fifo: true })
    this.deadTicks = new Queue(this, 'DeadTicks', { ...shared, retentionPeriod: retention })
    this.dead = [deadCheck, deadApply, this.deadTicks]
    this.check = new Queue(this, 'Checks', {
      ...shared,
      visibilityTimeout: checkTimeout,
      deadLetterQueue: { queue: deadCheck, maxReceiveCount: 3 },
    })
    this.apply = new Queue(this, 'Applies', {
      ...shared,
      fifo: true,
      visibilityTimeout: applyTimeout,
      deadLetterQueue: { queue: deadApply, maxReceiveCount: 5 },
    })
  }
}
