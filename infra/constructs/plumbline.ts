import { join } from 'node:path'
import { Annotations, Duration, Names, RemovalPolicy, Stack } from 'aws-cdk-lib'
import type { IRole } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { Code, type IFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import type { HandlerName } from '../bundle.ts'
import { refuseUnbundled } from '../packages.ts'
import { retentionVariables } from '../retention.ts'
import type { Settings } from '../settings.ts'
import { type Access, allow, allowKey, allowPartitions } from './access.ts'
import { alarmRules } from './alarm-rules.ts'
import { Alarms } from './alarms.ts'
import { AnchorStore, type SigningAction } from './anchors.ts'
import { Endpoint } from './endpoint.ts'
import { Handler, type HandlerProps } from './handler.ts'
import { Identity, type People, peopleOf } from './identity.ts'
import { Network } from './network.ts'
import { Operations } from './operations.ts'
import { applyTimeout, checkTimeout, Queues } from './queues.ts'
import { Lookout, ScheduleRule } from './schedule-rule.ts'
import { parameterArn, secretArn, webhookNames } from './secret-arns.ts'
import { Table } from './table.ts'

export interface PlumblineProps extends Settings {
  /** The folder with one folder for each bundled handler (infra/bundle.ts). */
  readonly bundle: string
}

/** It remains when its stack is deleted, and not when its stack could not be created. */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

interface FunctionSize {
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

/** The whole detector. Put it into any stack. */
export class Plumbline extends Construct {
  readonly topic: Topic
  /** Faults of Plumbline itself are published here. */
  readonly operations: Operations
  readonly endpoint: Endpoint
  /** The pool of users, if the settings ask for one. */
  readonly identity?: Identity
  /** How people sign in. */
  readonly people: People
  readonly table: Table
  /** Encrypts the table, the queues and the topic of alerts: without this key they cannot be read. */
  private readonly key: IKey
  /** Signed heads of the ledgers, if the settings ask for them. */
  readonly anchors?: AnchorStore
  private readonly queues: Queues
  private readonly sealKey: IKey
  /** Separates the metrics of this deployment from those of another one in the account. */
  private readonly service: string
  private readonly network?: Network
  private readonly props: PlumblineProps

  constructor(scope: Construct, id: string, props: PlumblineProps) {
    super(scope, id)
    refuseUnbundled(props.packages, props.bundle)
    this.props = props
    this.service = `${Stack.of(this).stackName}-${Names.stackRelativeConstructPath(this)}`
    if (props.identity !== undefined) this.identity = new Identity(this, 'Identity', props)
    this.people = this.identity?.people ?? peopleOf(props)
    this.key =
      props.table === undefined
        ? new Key(this, 'Key', { enableKeyRotation: true, description: 'plumbline', removalPolicy })
        : Key.fromKeyArn(this, 'Key', props.table.key)
    if (props.network !== undefined) this.network = new Network(this, 'Network', props.network)
    this.table = new Table(this, 'Table', { key: this.key, name: props.table?.name })
    this.queues = new Queues(this, 'Queues', { key: this.key })
    this.topic = new Topic(this, 'Alerts', { masterKey: this.key, enforceSSL: true })
    for (const address of props.mail) this.topic.addSubscription(new EmailSubscription(address))
    if (props.mail.length === 0) {
      const text = 'alerts about drift have no subscriber: set `mail`, or subscribe to the topic yourself'
      Annotations.of(this).addWarningV2('plumbline:alerts-without-subscriber', text)
    }
    this.sealKey = this.addSealKey(props.sealKey)

    if (props.anchors !== undefined) this.anchors = new AnchorStore(this, 'Anchors', props.anchors)

    const functions = {
      Schedule: this.addFunction('schedule'),
      Check: this.addFunction('check'),
      Apply: this.addFunction('apply'),
      Api: this.addFunction('api'),
      Watch: this.addFunction('watch'),
    }
    const { Schedule: schedule, Check: check, Apply: apply, Api: handler, Watch: watch } = functions
    this.anchors?.closeKey()
    // No more invocations at once than the function can have, so that no waiting message is given back. Most of a check is
    // waiting for its target: checks share an invocation, and Lambda collects them for a moment.
    const reportBatchItemFailures = true
    const shared = { batchSize: 10, maxBatchingWindow: Duration.seconds(2), maxConcurrency: props.checksAtOnce }
    const alone = { batchSize: 1, maxConcurrency: props.appliesAtOnce }
    check.addEventSource(new SqsEventSource(this.queues.check, { ...shared, reportBatchItemFailures }))
    apply.addEventSource(new SqsEventSource(this.queues.apply, { ...alone, reportBatchItemFailures }))
    new Lookout(this, 'Lookout', { handler: watch })
    new ScheduleRule(this, 'Tick', { handler: schedule, deadLetters: this.queues.deadTicks, key: this.key })
    const hasMachines = props.machines !== undefined
    const { issuer, audience } = this.people
    this.endpoint = new Endpoint(this, 'Endpoint', {
      ...{ issuer, audience, handler, hasMachines },
      retention: props.logDays,
    })
    // An issuer that does not answer fails here, before there is a table that remains.
    this.table.node.addDependency(...this.endpoint.authorizers())
    // Alerts name the endpoint in the commands that they show.
    for (const each of [schedule, check, apply]) each.addEnvironment('ENDPOINT', this.endpoint.people.apiEndpoint)
    this.operations = new Operations(this, 'Operations', { mail: props.operations ?? props.mail })
    this.watch(functions)
  }

  private addSealKey(existing: string | undefined): IKey {
    if (existing !== undefined) return Key.fromKeyArn(this, 'SealMac', existing)
    return new Key(this, 'SealMac', {
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      description: 'plumbline: the digests that stand for secret values',
      removalPolicy,
    })
  }

  private watch({ Schedule, Check, Apply }: Readonly<Record<'Schedule' | 'Check' | 'Apply', IFunction>>): void {
    const { check, apply, deadChecks, deadApplies, deadTicks } = this.queues
    const { people: People, machines: Machines } = this.endpoint
    const rules = alarmRules({
      functions: { Schedule, Check, Apply },
      fed: { Check, Apply },
      heartbeat: Schedule,
      queues: { Checks: check, Applies: apply },
      deadLetters: { DeadChecks: deadChecks, DeadApplies: deadApplies, DeadTicks: deadTicks },
      kept: { DeadApplies: deadApplies },
      apis: Machines === undefined ? { People } : { People, Machines },
      refusals: this.endpoint.refusals,
      topics: { Alerts: this.topic, Operations: this.operations.topic },
      tableName: this.table.table.tableName,
    })
    new Alarms(this, 'Alarms', { topic: this.operations.topic, service: this.service, rules })
  }

  private work(): Readonly<Record<HandlerName, FunctionSize>> {
    const { check, apply, deadChecks, deadApplies } = this.queues
    const { machines, secretNames, overdueAfterMinutes, memory } = this.props
    const { scopePrefix, groups, groupsClaim, issuer, signIn } = this.people
    const text = (value: object | undefined) => value && Stack.of(this).toJsonString(value)
    return {
      // Finds due checks, sends left alerts and messages, and ends abandoned applies; it reads neither targets nor
      // secrets.
      schedule: {
        timeout: Duration.seconds(50),
        memory: 1024,
        partitions: { write: ['DUE*', 'QUARANTINE', 'APPLIES', 'W#*', 'OUTBOX', 'ANCHORS'], append: ['L#*'] },
        sends: [check, apply],
        publishes: true,
        anchors: ['kms:Sign', 'kms:GetPublicKey'],
      },
      // Pulls a configuration from its repository, reads targets, keeps their answers, stores the results, and
      // continues in another invocation. It cannot write to the ledger and cannot start an apply.
      check: {
        timeout: checkTimeout,
        memory,
        partitions: { read: ['RUN#*'], write: ['W#*', 'H#*', 'HOME#*', 'DUE*', 'OUTBOX', 'DIR', 'QUARANTINE'] },
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
          read: ['RUN#*'],
          write: ['W#*', 'H#*', 'HOME#*', 'DUE*', 'APPLIES', 'OUTBOX', 'ANCHORS'],
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
          read: ['RUN#*'],
          write: ['DUE*', 'QUARANTINE', 'APPLIES', 'OUTBOX', 'DIR', 'W#*', 'H#*', 'HOME#*'],
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
          ...retentionVariables(this.props.retention),
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

  private addFunction(name: HandlerName): LambdaFunction {
    const {
      timeout,
      memory,
      partitions,
      sends = [],
      givesUp,
      publishes,
      reachesTargets,
      verifiesWebhooks,
      anchors,
      environment,
    } = this.work()[name]
    const { check, apply } = this.queues
    const { function: added, role } = new Handler(this, name.charAt(0).toUpperCase() + name.slice(1), {
      name,
      timeout,
      memory,
      service: this.service,
      code: Code.fromAsset(join(this.props.bundle, name)),
      environment: {
        TABLE_NAME: this.table.table.tableName,
        TOPIC_ARN: publishes && this.topic.topicArn,
        CHECK_QUEUE_URL: sends.includes(check) && check.queueUrl,
        APPLY_QUEUE_URL: sends.includes(apply) && apply.queueUrl,
        DEAD_QUEUE_URL: givesUp?.queueUrl,
        ...(reachesTargets && this.targetEnvironment()),
        ...(anchors && this.anchors?.environment(this.service)),
        ...environment,
      },
      retention: this.props.logDays,
      reserved: this.props.reserved[name],
      network: reachesTargets ? this.network : undefined,
    })
    allowPartitions(role, this.table.table, partitions)
    allowKey(role, this.key)
    const queues = [...sends, ...(givesUp === undefined ? [] : [givesUp])].map(({ queueArn }) => queueArn)
    if (queues.length > 0) allow(role, ['sqs:SendMessage'], queues)
    if (publishes) allow(role, ['sns:Publish'], [this.topic.topicArn])
    if (anchors) this.anchors?.letSign(role, anchors)
    if (reachesTargets) this.allowTargets(role)
    if (verifiesWebhooks) this.allowSecrets(role, webhookNames(this.props.secretNames))
    return added
  }

  private targetEnvironment(): Record<string, string> {
    return {
      SEAL_KEY_ID: this.sealKey.keyArn,
      SECRET_NAMES: this.props.secretNames.join(','),
      ...retentionVariables(this.props.retention),
      CONCURRENCY: String(this.props.concurrency),
    }
  }

  private allowTargets(role: IRole): void {
    this.allowSecrets(role, this.props.secretNames)
    allow(role, ['kms:GenerateMac'], [this.sealKey.keyArn])
  }

  private allowSecrets(role: IRole, names: readonly string[]): void {
    if (names.length === 0) return
    const place = Stack.of(this)
    const named = (arn: typeof secretArn) => names.map((name) => arn(place, name))
    allow(role, ['ssm:GetParameter'], named(parameterArn))
    allow(role, ['secretsmanager:GetSecretValue'], named(secretArn))
  }
}
