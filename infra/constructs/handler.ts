import { type Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Effect, type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { HandlerName } from '../handlers.ts'
import type { LogProps } from './logs.ts'
import type { Network } from './network.ts'

export interface HandlerProps {
  readonly name: HandlerName
  readonly code: Code
  readonly service: string
  /** A variable without a value is omitted. */
  readonly environment: Readonly<Record<string, string | false | undefined>>
  readonly timeout: Duration
  readonly memory: number
  readonly logs: LogProps
  /** Reserved concurrency, which is also the limit. */
  readonly reserved?: number | undefined
  /** Records a trace of invocations in X-Ray. */
  readonly tracing: boolean
  /** The network of Lambda when absent. */
  readonly network?: Network | undefined
}

const has = (variable: readonly [string, string | false | undefined]): variable is [string, string] =>
  typeof variable[1] === 'string'

/** A function with its own log group and its own role, which can only write that log. */
export class Handler extends Construct {
  readonly function: LambdaFunction
  readonly role: IRole

  constructor(scope: Construct, id: string, props: HandlerProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Log', {
      ...props.logs,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    })
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    role.addToPolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
    )
    this.role = role
    const given = Object.fromEntries(Object.entries(props.environment).filter(has))
    this.function = new LambdaFunction(this, 'Function', {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: props.code,
      handler: `${props.name}.handler`,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      timeout: props.timeout,
      memorySize: props.memory,
      ...(props.tracing && { tracing: Tracing.ACTIVE }),
      environment: { ...given, POWERTOOLS_SERVICE_NAME: props.service },
      description: `Plumbline ${props.name} (${Stack.of(this).stackName})`,
      ...(props.reserved && { reservedConcurrentExecutions: props.reserved }),
    })
    props.network?.join(this.function, role)
  }
}
