import { Annotations, Duration, Names, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import { refuseUnbundled } from '../refuse-unbundled.ts'
import type { DeploymentSettings } from '../settings.ts'
import { alarmRules } from './alarm-rules.ts'
import { Alarms } from './alarms.ts'
import { AnchorStore } from './anchors.ts'
import { Dashboard } from './dashboard.ts'
import { Endpoint } from './endpoint.ts'
import { Functions } from './functions.ts'
import { Identity, type People, peopleOf } from './identity.ts'
import { addLogKey } from './logs.ts'
import { Network } from './network.ts'
import { Operations } from './operations.ts'
import { Queues } from './queues.ts'
import { Rollout } from './rollout.ts'
import { Lookout, ScheduleRule } from './schedule-rule.ts'
import { Table } from './table.ts'

/** The stage and the tags are those of the stack that it is put into. */
export interface PlumblineProps extends DeploymentSettings {
  /** The folder with one folder for each bundled handler (infra/bundle.ts). */
  readonly bundle: string
}

/** It remains when its stack is deleted, and not when its stack could not be created. */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

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
  /** The page of numbers, if the settings ask for one. */
  readonly dashboard?: Dashboard
  private readonly queues: Queues
  private readonly sealKey: IKey
  /** Separates the metrics of this deployment from those of another one in the account. */
  private readonly service: string

  constructor(scope: Construct, id: string, props: PlumblineProps) {
    super(scope, id)
    refuseUnbundled(props.packages, props.bundle)
    this.service = `${Stack.of(this).stackName}-${Names.stackRelativeConstructPath(this)}`
    if (props.identity !== undefined) this.identity = new Identity(this, 'Identity', props)
    this.people = this.identity?.people ?? peopleOf(props)
    this.key =
      props.table === undefined
        ? new Key(this, 'Key', { enableKeyRotation: true, description: 'plumbline', removalPolicy })
        : Key.fromKeyArn(this, 'Key', props.table.key)
    const network = props.network && new Network(this, 'Network', props.network)
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

    const logs = { retention: props.logDays, ...(props.logKey && { encryptionKey: addLogKey(this, 'LogKey') }) }
    const { people, table, queues, topic, key, sealKey, anchors, service } = this
    const made = new Functions(this, {
      ...{ settings: props, bundle: props.bundle, service },
      ...{ people, table, queues, topic, key, sealKey, anchors, network, logs },
    })
    const functions = {
      Schedule: made.add('schedule'),
      Check: made.add('check'),
      Apply: made.add('apply'),
      Api: made.add('api'),
      Watch: made.add('watch'),
    }
    const { Watch: watch, ...called } = functions
    const live = props.rollout === undefined ? called : new Rollout(this, 'Rollout', called).live
    const { Schedule: schedule, Check: check, Apply: apply, Api: handler } = live
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
    const { issuer, audience } = people
    this.endpoint = new Endpoint(this, 'Endpoint', {
      people: props.people ? { issuer, audience, domain: props.domain } : undefined,
      ...{ handler, hasMachines, logs, throttle: props.throttle },
    })
    if (this.endpoint.peopleUrl !== undefined) this.identity?.returnTo(this.endpoint.peopleUrl)
    // An issuer that does not answer fails here, before there is a table that remains.
    this.table.node.addDependency(...this.endpoint.authorizers())
    // Alerts name the endpoint in the commands that they show, and the page.
    for (const each of [called.Schedule, called.Check, called.Apply]) {
      each.addEnvironment('ENDPOINT', this.endpoint.url())
      if (this.endpoint.peopleUrl !== undefined) each.addEnvironment('PAGE_URL', this.endpoint.peopleUrl)
    }
    this.operations = new Operations(this, 'Operations', { mail: props.operations ?? props.mail })
    this.watch(functions)
    if (props.dashboard) this.dashboard = this.addDashboard(functions)
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
    const rules = alarmRules({
      functions: { Schedule, Check, Apply },
      fed: { Check, Apply },
      heartbeat: Schedule,
      queues: { Checks: check, Applies: apply },
      deadLetters: { DeadChecks: deadChecks, DeadApplies: deadApplies, DeadTicks: deadTicks },
      kept: { DeadApplies: deadApplies },
      apis: this.endpoint.apis(),
      refusals: this.endpoint.refusals,
      topics: { Alerts: this.topic, Operations: this.operations.topic },
      tableName: this.table.table.tableName,
    })
    new Alarms(this, 'Alarms', { topic: this.operations.topic, service: this.service, rules })
  }

  private addDashboard(functions: Readonly<Record<string, IFunction>>): Dashboard {
    const { check, apply, deadChecks, deadApplies, deadTicks } = this.queues
    return new Dashboard(this, 'Dashboard', {
      ...{ service: this.service, functions, apis: this.endpoint.apis() },
      queues: { checks: check, applies: apply },
      deadLetters: { checks: deadChecks, applies: deadApplies, ticks: deadTicks },
    })
  }
}
