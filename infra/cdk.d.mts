import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'

/**
 * The settings of a deployment, by the names of cdk.json (docs/operations.md): either `identity`, or `issuer` and `audience`,
 * or `people: false` and `machines`. Rights are a text such as `read check:acme-*`.
 */
export interface PlumblineProps {
  /** Makes a pool of users with which people sign in, instead of an issuer that exists. */
  identity?: 'cognito'
  /** The OIDC issuer whose tokens the endpoint accepts, an https address. */
  issuer?: string
  /** The audiences of its tokens. */
  audience?: string[]
  /** The text before each scope in the tokens of the issuer. */
  scopePrefix?: string
  /** The public client that the issuer knows for `plumbline login`. */
  signIn?: { clientId: string; scope?: string }
  /** Rights by the names of groups, which a claim of the token contains. Without it the scopes of the token count. */
  groups?: Record<string, string>
  /** The claim that contains the groups. */
  groupsClaim?: string
  /** False: there is no API for people. Default: true. */
  people?: boolean
  /** An own name of the API for people, with its certificate in ACM of the same region. */
  domain?: { name: string; certificate: string; zone?: string; defaultEndpoint?: boolean }
  /** Requests a second, and at once, of each API. Default: 50 and 100. */
  throttle?: { rate?: number; burst?: number }
  /** A table that exists, of a restore or of a former stack, and the ARN of its key. Default: a new one. */
  table?: { name: string; key: string }
  /** The ARN of the key of a former stack for the digests of secret values. Default: a new one. */
  sealKey?: string
  /** Keeps signed heads of the ledgers in a bucket with object lock. Default: none. */
  anchors?: { days?: number; mode?: 'governance' | 'compliance' }
  /** Rights by the ARNs of callers with IAM credentials, `*` in them matches any text. Default: no endpoint for machines. */
  machines?: Record<string, string>
  /** Addresses that get the alerts by mail. Default: none. */
  mail?: string[]
  /** Addresses that get the alarms about Plumbline itself. Default: those of `mail`. */
  operations?: string[]
  /** Minutes after which a missing check raises the alarm, 5 to 1440. Default: 30. */
  overdueAfterMinutes?: number
  /** Names of secrets that a workspace may read. Default: `plumbline/{workspace}/*`. */
  secretNames?: string[]
  /** ARNs of keys of KMS with which these secrets are encrypted, if they are your own. */
  secretKeys?: string[]
  /** Requests to targets at once, of a check or an apply. Default: 10. */
  concurrency?: number
  /** Invocations of the function that checks, at once. Default: 20. */
  checksAtOnce?: number
  /** Invocations of the function that applies, at once. Default: 10. */
  appliesAtOnce?: number
  /** Megabytes of the functions that check and apply, 512 to 10240. Default: 1024. */
  memory?: number
  /** Reserved concurrency of each function, which is also its limit. Default: none. */
  reserved?: { schedule?: number; check?: number; apply?: number; api?: number; watch?: number }
  /** The network from which targets are reached. Default: that of Lambda. */
  network?: {
    vpc: string
    subnets: string[]
    securityGroups: string[]
    routeTables?: string[]
    interfaceEndpoints?: boolean
  }
  /** Days that the table keeps runs and backups. Default: 30, 400 and 90. */
  retention?: { inSyncDays?: number; otherDays?: number; backupDays?: number }
  /** Days that the logs are kept. Default: 90. */
  logDays?: 7 | 30 | 90 | 180 | 365
  /** Encrypts the logs with a key of their own. Default: false. */
  logKey?: boolean
  /** Traces in X-Ray. Default: false. */
  tracing?: boolean
  /** A new version of a function gets a tenth of the calls for 15 minutes first. Default: all at once. */
  rollout?: 'canary'
  /** A page of CloudWatch with the numbers of the deployment. Default: false. */
  dashboard?: boolean
}

/**
 * The whole detector, with the functions of this package. Its alarms, metrics and logs have the name of the stack, so a stack
 * has one at most. Throws an error that names each prop that is not valid.
 */
export declare class Plumbline extends Construct {
  constructor(scope: Construct, id: string, props: PlumblineProps)
  /** Alerts about drift. */
  readonly alertTopic: ITopic
  /** Alarms about Plumbline itself. */
  readonly operationsTopic: ITopic
  /** Of the table with everything that Plumbline keeps. It remains when the stack is deleted. */
  readonly tableName: string
  /** The address of the API for people, who have tokens; undefined with `people: false`. */
  readonly peopleEndpoint: string | undefined
  /** The address of the API for callers with IAM credentials; undefined without `machines`. */
  readonly machineEndpoint: string | undefined
}
