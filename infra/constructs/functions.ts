import { join } from 'node:path'
import { Stack } from 'aws-cdk-lib'
import type { IRole } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Code, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import type { HandlerName } from '../handlers.ts'
import { retentionVariables } from '../retention.ts'
import type { DeploymentSettings } from '../settings.ts'
import { allow, allowKey, allowPartitions, allowSecretKeys, parameterStore, secretsManager } from './access.ts'
import type { AnchorStore } from './anchors.ts'
import { Handler } from './handler.ts'
import type { People } from './identity.ts'
import type { LogProps } from './logs.ts'
import type { Network } from './network.ts'
import type { Queues } from './queues.ts'
import { parameterArn, secretArn, webhookNames } from './secret-arns.ts'
import type { Table } from './table.ts'
import { type FunctionWork, workOf } from './work.ts'

export interface FunctionsProps {
  readonly settings: DeploymentSettings
  /** The folder with one folder for each bundled handler. */
  readonly bundle: string
  readonly service: string
  readonly people: People
  readonly table: Table
  readonly queues: Queues
  readonly topic: ITopic
  /** Encrypts the table, the queues and the topic. */
  readonly key: IKey
  readonly sealKey: IKey
  readonly anchors: AnchorStore | undefined
  readonly network: Network | undefined
  readonly logs: LogProps
}

/** Makes the functions of the deployment in one scope, each with its environment and its rights. */
export class Functions {
  private readonly scope: Construct
  private readonly props: FunctionsProps
  private readonly work: Readonly<Record<HandlerName, FunctionWork>>

  constructor(scope: Construct, props: FunctionsProps) {
    this.scope = scope
    this.props = props
    this.work = workOf({ ...props, stack: Stack.of(scope) })
  }

  add(name: HandlerName): LambdaFunction {
    const { settings, table, key, bundle, service, network, logs } = this.props
    const work = this.work[name]
    const { function: added, role } = new Handler(this.scope, name.charAt(0).toUpperCase() + name.slice(1), {
      name,
      timeout: work.timeout,
      memory: work.memory,
      service,
      code: Code.fromAsset(join(bundle, name)),
      environment: this.environmentOf(work),
      logs,
      tracing: settings.tracing,
      reserved: settings.reserved[name],
      network: work.reachesTargets ? network : undefined,
    })
    allowPartitions(role, table.table, work.partitions)
    allowKey(role, key)
    this.allowWork(role, work)
    return added
  }

  private environmentOf({ sends = [], givesUp, publishes, reachesTargets, anchors, environment }: FunctionWork) {
    const { table, topic, queues, service, anchors: store } = this.props
    return {
      TABLE_NAME: table.table.tableName,
      TOPIC_ARN: publishes && topic.topicArn,
      CHECK_QUEUE_URL: sends.includes(queues.check) && queues.check.queueUrl,
      APPLY_QUEUE_URL: sends.includes(queues.apply) && queues.apply.queueUrl,
      DEAD_QUEUE_URL: givesUp?.queueUrl,
      ...(reachesTargets && this.targetEnvironment()),
      ...(anchors && store?.environment(service)),
      ...environment,
    }
  }

  private allowWork(role: IRole, work: FunctionWork): void {
    const { topic, anchors, settings, sealKey } = this.props
    const { sends = [], givesUp } = work
    const queues = [...sends, ...(givesUp === undefined ? [] : [givesUp])].map(({ queueArn }) => queueArn)
    if (queues.length > 0) allow(role, ['sqs:SendMessage'], queues)
    if (work.publishes) allow(role, ['sns:Publish'], [topic.topicArn])
    if (work.anchors) anchors?.letSign(role, work.anchors)
    if (work.reachesTargets) {
      this.allowSecrets(role, settings.secretNames)
      allow(role, ['kms:GenerateMac'], [sealKey.keyArn])
    }
    if (work.verifiesWebhooks) this.allowSecrets(role, webhookNames(settings.secretNames))
  }

  private targetEnvironment(): Record<string, string> {
    const { sealKey, settings } = this.props
    return {
      SEAL_KEY_ID: sealKey.keyArn,
      SECRET_NAMES: settings.secretNames.join(','),
      ...retentionVariables(settings.retention),
      CONCURRENCY: String(settings.concurrency),
    }
  }

  private allowSecrets(role: IRole, names: readonly string[]): void {
    if (names.length === 0) return
    const place = Stack.of(this.scope)
    const named = (arn: typeof secretArn) => names.map((name) => arn(place, name))
    const { secretKeys: keys } = this.props.settings
    allow(role, ['ssm:GetParameter'], named(parameterArn))
    allow(role, ['secretsmanager:GetSecretValue'], named(secretArn))
    allowSecretKeys(role, parameterStore, { keys, region: place.region, secrets: named(parameterArn) })
    allowSecretKeys(role, secretsManager, { keys, region: place.region, secrets: named(secretArn) })
  }
}
