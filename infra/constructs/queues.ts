import { Duration } from 'aws-cdk-lib'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'

/** The longest time of a check; one workspace is read as a whole. */
export const checkTimeout = Duration.minutes(15)
/**
 * An apply hands itself over between two commands before this time, so that another invocation soon continues after a
 * crash.
 */
export const applyTimeout = Duration.minutes(5)
/** The longest time that SQS keeps a message. */
export const keptFor = Duration.days(14)

/** The number of receives until a message is given up: its handler delays it by up to a minute each time. */
const maxReceiveCount = 10

/**
 * How long a message stays hidden while a function works on it. A function that is killed says nothing, so its message
 * is delivered again after this time, and a workspace with an interrupted apply is free again. AWS recommends six times
 * the timeout for functions that are throttled; these take no more messages than they may work on (`maxConcurrency`).
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const hiddenFor = (timeout: Duration): Duration => timeout.plus(Duration.seconds(30))

/**
 * Queues between the functions: checks in any order, applies in order within a workspace. Each has a dead-letter queue.
 */
export class Queues extends Construct {
  readonly check: Queue
  readonly apply: Queue
  readonly deadChecks: Queue
  readonly deadApplies: Queue
  /** Ticks of the schedule that were not processed. */
  readonly deadTicks: Queue

  constructor(scope: Construct, id: string, props: { readonly key: IKey }) {
    super(scope, id)
    const shared = { encryption: QueueEncryption.KMS, encryptionMasterKey: props.key, enforceSSL: true }
    this.deadChecks = new Queue(this, 'DeadChecks', { ...shared, retentionPeriod: keptFor })
    this.deadApplies = new Queue(this, 'DeadApplies', { ...shared, retentionPeriod: keptFor, fifo: true })
    this.deadTicks = new Queue(this, 'DeadTicks', { ...shared, retentionPeriod: keptFor })
    this.check = new Queue(this, 'Checks', {
      ...shared,
      visibilityTimeout: hiddenFor(checkTimeout),
      deadLetterQueue: { queue: this.deadChecks, maxReceiveCount },
    })
    this.apply = new Queue(this, 'Applies', {
      ...shared,
      fifo: true,
      visibilityTimeout: hiddenFor(applyTimeout),
      deadLetterQueue: { queue: this.deadApplies, maxReceiveCount },
    })
  }
}
