import { join } from 'node:path'
import { CfnOutput, Duration, Names, RemovalPolicy, Stack } from 'aws-cdk-lib'
import type { IRole } from 'aws-cdk-lib/aws-iam'
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { Code, type IFunction } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import type { HandlerName } from '../bundle.ts'
import type { Settings } from '../settings.ts'
import { allow, allowKey, allowPartitions } from './access.ts'
import { alarmRules } from './alarm-rules.ts'
import { Alarms } from './alarms.ts'
import { Endpoint } from './endpoint.ts'
import { Handler } from './handler.ts'
import { Lookout } from './lookout.ts'
import { Network } from './network.ts'
import { Operations } from './operations.ts'
import { applyTimeout, checkTimeout, Queues } from './queues.ts'
import { ScheduleRule } from './schedule-rule.ts'
import { parameterArn, secretArn } from './secret-arns.ts'
import { Table } from './table.ts'

export interface PlumblineProps extends Settings {
  /** Folder with a folder for each bundled handler (infra/bundle.ts). */
  readonly bundle: string
}

/** The whole detector. Put it into any stack; what it needs from outside is an OIDC issuer. */
export class Plumbline extends Construct {
  /** What is found. */
  readonly topic: Topic
  /** What is wrong with Plumbline itself. */
  readonly operations: Operations
  readonly endpoint: Endpoint
  private readonly key: Key
  private readonly table: Table
  private readonly queues: Queues
  private readonly sealKey: Key
  /** Sets the metrics of this deployment apart from those of another one in the account. */
  private readonly service: string
  /** Of check and apply, where the settings name one. */
  private readonly network?: Network
  private readonly props: PlumblineProps

  constructor(scope: Construct, id: string, props: PlumblineProps) {
    super(scope, id)
    this.props = props
    this.service = `${Stack.of(this).stackName}-${Names.stackRelativeConstructPath(this)}`
    this.key = this.makeKey()
    if (props.network !== undefined) this.network = new Network(this, 'Network', props.network)
    this.table = new Table(this, 'Table', { key: this.key })
    this.queues = new Queues(this, 'Queues', { key: this.key })
    this.topic = new Topic(this, 'Alerts', { masterKey: this.key, enforceSSL: true })
    for (const address of props.mail) this.topic.addSubscription(new EmailSubscription(address))
    this.sealKey = new Key(this, 'SealMac', {
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      description: 'plumbline: the digests that stand for secret values',
      removalPolicy: RemovalPolicy.RETAIN,
    })

    const functions = {
      Schedule: this.schedule(),
      Check: this.check(),
      Apply: this.apply(),
      Api: this.api(),
      Watch: this.lookout(),
    }
    const { Schedule: schedule, Api: handler } = functions
    new ScheduleRule(this, 'Tick', { handler: schedule, deadLetters: this.queues.deadTicks, key: this.key })
    const hasMachines = props.machines !== undefined
    this.endpoint = new Endpoint(this, 'Endpoint', { ...props, handler, hasMachines, retention: props.logDays })
    this.operations = new Operations(this, 'Operations', { mail: props.operations ?? props.mail })
    this.watch(functions)
    this.outputs()
  }

  private watch(functions: Readonly<Record<string, IFunction>> & { readonly Schedule: IFunction }): void {
    const { check, apply, deadChecks, deadApplies, deadTicks } = this.queues
    const { people: People, machines: Machines } = this.endpoint
    const rules = alarmRules({
      functions,
      asynchronous: ['Schedule', 'Watch'],
      heartbeat: functions.Schedule,
      queues: { Checks: check, Applies: apply },
      deadLetters: { DeadChecks: deadChecks, DeadApplies: deadApplies, DeadTicks: deadTicks },
      apis: { People, ...(Machines === undefined ? {} : { Machines }) },
      topics: { Alerts: this.topic, Operations: this.operations.topic },
      tableName: this.table.table.tableName,
    })
    new Alarms(this, 'Alarms', { topic: this.operations.topic, service: this.service, rules })
  }

  /** One key for table, queues and topic of alerts: whoever may not use it reads nothing of Plumbline's. */
  private makeKey(): Key {
    return new Key(this, 'Key', {
      enableKeyRotation: true,
      description: 'plumbline',
      removalPolicy: RemovalPolicy.RETAIN,
    })
  }

  private handler(name: HandlerName, timeout: Duration, memory: number, environment: Record<string, string>): Handler {
    return new Handler(this, name.charAt(0).toUpperCase() + name.slice(1), {
      name,
      timeout,
      memory,
      service: this.service,
      code: Code.fromAsset(join(this.props.bundle, name)),
      environment: { TABLE_NAME: this.table.table.tableName, ...environment },
      retention: this.props.logDays,
      reserved: this.props.reserved[name],
      network: name === 'check' || name === 'apply' ? this.network : undefined,
    })
  }

  /** Finds what is due, sends what was left and ends applies that nobody works on; it can neither read a target nor a secret. */
  private schedule(): IFunction {
    const { function: schedule, role } = this.handler('schedule', Duration.seconds(50), 1024, {
      CHECK_QUEUE_URL: this.queues.check.queueUrl,
      APPLY_QUEUE_URL: this.queues.apply.queueUrl,
      TOPIC_ARN: this.topic.topicArn,
    })
    allowPartitions(role, this.table.table, {
      write: ['DUE*', 'QUARANTINE', 'APPLIES', 'W#*', 'OUTBOX'],
      append: ['L#*'],
    })
    this.allowSending(role, [this.queues.check, this.queues.apply])
    allow(role, ['sns:Publish'], [this.topic.topicArn])
    return schedule
  }

  /** Reads targets and stores what it finds. It cannot touch the ledger and cannot start an apply. */
  private check(): IFunction {
    const { function: check, role } = this.handler('check', checkTimeout, 1024, this.workEnvironment())
    allowPartitions(role, this.table.table, { write: ['W#*', 'RUN#*', 'DUE*', 'OUTBOX'] })
    this.allowWork(role)
    this.feed(check, this.queues.check, this.props.checksAtOnce)
    return check
  }

  /** Sends the approved commands; appends to the ledger and can delete nothing from it. */
  private apply(): IFunction {
    const { function: apply, role } = this.handler('apply', applyTimeout, 1024, {
      ...this.workEnvironment(),
      APPLY_QUEUE_URL: this.queues.apply.queueUrl,
    })
    allowPartitions(role, this.table.table, {
      write: ['W#*', 'RUN#*', 'DUE*', 'APPLIES', 'OUTBOX'],
      append: ['L#*'],
    })
    this.allowWork(role)
    this.allowSending(role, [this.queues.apply])
    this.feed(apply, this.queues.apply, this.props.appliesAtOnce)
    return apply
  }

  /** Answers people and machines; the work itself goes through the queues. */
  private api(): IFunction {
    const { machines } = this.props
    const { function: api, role } = this.handler('api', Duration.seconds(29), 512, {
      CHECK_QUEUE_URL: this.queues.check.queueUrl,
      APPLY_QUEUE_URL: this.queues.apply.queueUrl,
      SCOPE_PREFIX: this.props.scopePrefix,
      SECRET_NAMES: this.props.secretNames.join(','),
      ...(machines === undefined ? {} : { REQUIRED_SCOPES_IAM: JSON.stringify(machines) }),
    })
    allowPartitions(role, this.table.table, {
      write: ['DUE*', 'QUARANTINE', 'APPLIES', 'OUTBOX', 'DIR', 'W#*', 'RUN#*'],
      append: ['L#*'],
    })
    this.allowSending(role, [this.queues.check, this.queues.apply])
    return api
  }

  /** Looks how old everything has become; it changes nothing. */
  private lookout(): IFunction {
    const { function: watch, role } = this.handler('watch', Duration.minutes(2), 512, {
      OVERDUE_AFTER_MINUTES: String(this.props.overdueAfterMinutes),
    })
    allowPartitions(role, this.table.table, { read: ['DIR', 'W#*', 'QUARANTINE', 'OUTBOX'] })
    allowKey(role, this.key)
    new Lookout(this, 'Lookout', { handler: watch })
    return watch
  }

  private workEnvironment(): Record<string, string> {
    return {
      TOPIC_ARN: this.topic.topicArn,
      SEAL_KEY_ID: this.sealKey.keyArn,
      SECRET_NAMES: this.props.secretNames.join(','),
      CONCURRENCY: String(this.props.concurrency),
    }
  }

  /** One message at a time, and no more at once than the function can take: what waits is not thrown back. */
  private feed(handler: IFunction, queue: IQueue, maxConcurrency: number): void {
    handler.addEventSource(new SqsEventSource(queue, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency }))
  }

  private allowSending(role: IRole, queues: readonly IQueue[]): void {
    allow(
      role,
      ['sqs:SendMessage'],
      queues.map(({ queueArn }) => queueArn),
    )
    allowKey(role, this.key)
  }

  private allowWork(role: IRole): void {
    const place = Stack.of(this)
    const { secretNames } = this.props
    allow(role, ['sns:Publish'], [this.topic.topicArn])
    const named = (arn: typeof secretArn) => secretNames.map((name) => arn(place, name))
    allow(role, ['ssm:GetParameter'], named(parameterArn))
    allow(role, ['secretsmanager:GetSecretValue'], named(secretArn))
    allow(role, ['kms:GenerateMac'], [this.sealKey.keyArn])
    allowKey(role, this.key)
  }

  private outputs(): void {
    const { machines } = this.endpoint
    const outputs = {
      PeopleEndpoint: this.endpoint.people.apiEndpoint,
      ...(machines === undefined ? {} : { MachineEndpoint: machines.apiEndpoint }),
      AlertTopic: this.topic.topicArn,
      OperationsTopic: this.operations.topic.topicArn,
      TableName: this.table.table.tableName,
    }
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value })
  }
}
