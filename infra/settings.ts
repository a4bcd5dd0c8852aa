import type { Node } from 'constructs'
import * as z from 'zod'
import { retentionShape } from './retention.ts'
import {
  anchorsShape,
  arnPattern,
  atOnce,
  distinct,
  domainShape,
  issuer,
  keyArn,
  networkShape,
  packageId,
  packageShape,
  reservedShape,
  rights,
  secretName,
  stage,
  tags,
  throttleShape,
  word,
} from './setting-shapes.ts'

/**
 * The settings of a deployment: the `plumbline` object of cdk.json, or `-c plumbline='{...}'`. Unknown names are
 * refused, so that a misspelt one is not silently replaced by a default.
 */
const plainShape = z.strictObject({
  /** Tells several deployments of one account apart: the stack is then `Plumbline-<stage>`. */
  stage: stage.exactOptional(),
  /** Put on everything that can have tags. */
  tags: tags.default({}),
  /** Makes a pool of users with which people sign in, instead of an issuer that exists. */
  identity: z.literal('cognito').exactOptional(),
  /** The OIDC issuer whose tokens the endpoint accepts. Every issuer with a discovery document works. */
  issuer: issuer.exactOptional(),
  audience: distinct(word.min(1)).min(1).exactOptional(),
  /** The text before each scope in the issuer's tokens. */
  scopePrefix: word.exactOptional(),
  /**
   * The public client that the issuer knows for `plumbline login` and the web page; `scope`: what it asks for; `origins`: where
   * the page gets its tokens, if that is not at the origin of the issuer.
   */
  signIn: z
    .strictObject({
      clientId: word.min(1),
      scope: z.string().min(1).exactOptional(),
      origins: distinct(issuer).min(1).exactOptional(),
    })
    .exactOptional(),
  /** Rights by the names of groups, which a claim of the token contains. When absent, the scopes of the token count. */
  groups: z
    .record(z.string().min(1).max(128), rights)
    .refine((map) => Object.keys(map).length > 0, 'has no group')
    .exactOptional(),
  groupsClaim: word.min(1).exactOptional(),
  /** False: there is no API for people, only the one for machines. */
  people: z.boolean().default(true),
  domain: domainShape.exactOptional(),
  throttle: throttleShape.default({ rate: 50, burst: 100 }),
  /** A table that exists, of a restore or of a former stack, and the key that it is encrypted with. */
  table: z
    .strictObject({ name: z.string().regex(/^[\w.-]{3,255}$/, 'is no name of a table'), key: keyArn })
    .exactOptional(),
  /** The key of a former stack for the digests of secret values. A new one makes the next checks renew the records. */
  sealKey: keyArn.exactOptional(),
  /** Keeps signed heads of the ledgers in a bucket with object lock; absent: none. */
  anchors: anchorsShape.exactOptional(),
  /**
   * Rights of callers with IAM credentials: ARNs, in which `*` matches any text, with rights separated by spaces. When
   * absent, there is no endpoint for machines.
   */
  machines: z
    .record(arnPattern, rights)
    .refine((map) => Object.keys(map).length > 0, 'has no ARN')
    .exactOptional(),
  /** Addresses that get the alerts by mail; each confirms its subscription once. */
  mail: distinct(z.email()).default([]),
  /** Addresses that get the alarms about Plumbline itself; those of `mail` when absent. */
  operations: distinct(z.email()).exactOptional(),
  /** The delay after which a missing check raises the alarm; a check may take a quarter of an hour. */
  overdueAfterMinutes: z.number().int().min(5).max(1440).default(30),
  /**
   * Names in Parameter Store and Secrets Manager that a workspace may read: `{workspace}` is the name of the workspace,
   * and a `*` at the end matches any text. A name without `{workspace}` is for all workspaces.
   */
  secretNames: distinct(secretName).min(1).default(['plumbline/{workspace}/*']),
  /** Keys of KMS with which parameters and secrets of these names are encrypted, if they are keys of the user. */
  secretKeys: distinct(keyArn).max(20).default([]),
  concurrency: z.number().int().min(1).max(1000).default(10),
  /** Concurrent checks and applies. Waiting messages are not lost, and are not sent to a throttled function. */
  checksAtOnce: atOnce.default(20),
  appliesAtOnce: atOnce.default(10),
  /** Megabytes of the functions that check and apply. Lambda gives processor time in proportion. */
  memory: z.number().int().min(512, 'is less than 512').max(10_240, 'is more than Lambda has, 10240').default(1024),
  /**
   * By default all functions share the concurrency of the account: a reservation takes it from everything else there.
   */
  reserved: reservedShape.default({}),
  network: networkShape.exactOptional(),
  packages: z.record(packageId, packageShape).default({}),
  retention: retentionShape.prefault({}),
  logDays: z.literal([7, 30, 90, 180, 365]).default(90),
  /** Encrypts the logs with a key of their own, instead of one of AWS. */
  logKey: z.boolean().default(false),
  /** Lambda records a trace of invocations in X-Ray. The functions themselves add nothing to it. */
  tracing: z.boolean().default(false),
  /** Gives a new version of a function a part of the calls first, and takes them back if it fails; absent: all at once. */
  rollout: z.literal('canary').exactOptional(),
  /** A page of CloudWatch with the numbers of the deployment. */
  dashboard: z.boolean().default(false),
})

/** The environment of a function is limited to 4 KB, and contains other names too. */
const maxCharacters = 3_000

/** The number of characters of a wrong value that an error quotes. */
const mostShown = 100

type PlainSettings = z.infer<typeof plainShape>

const problemsWithoutPeople = (settings: PlainSettings): readonly (readonly [keyof PlainSettings, string])[] => {
  const ofPeople = [
    'identity',
    'issuer',
    'audience',
    'scopePrefix',
    'signIn',
    'groups',
    'groupsClaim',
    'domain',
  ] as const
  const left = ofPeople.filter((name) => settings[name] !== undefined)
  return [
    ...left.map((name) => [name, 'belongs to the API for people; remove it, or "people": false'] as const),
    ...(settings.machines === undefined
      ? [['machines', 'name the callers: with "people": false nobody else can call'] as const]
      : []),
  ]
}

/** Either the pool of users of the stack, or an issuer with all that belongs to it. */
const identityProblems = (settings: PlainSettings): readonly (readonly [keyof PlainSettings, string])[] => {
  if (!settings.people) return problemsWithoutPeople(settings)
  const { identity, issuer: named, audience, groups, groupsClaim } = settings
  const ofIssuer = ['issuer', 'audience', 'scopePrefix', 'signIn', 'groupsClaim'] as const
  if (identity !== undefined)
    return ofIssuer
      .filter((name) => settings[name] !== undefined)
      .map((name) => [name, `belongs to an issuer that exists; remove it, or "identity": "${identity}"`])
  if (named === undefined) return [['issuer', 'write it, or `"identity": "cognito"`']]
  const problems: [keyof PlainSettings, string][] = []
  if (audience === undefined) problems.push(['audience', 'the audience of the tokens of this issuer'])
  if (groupsClaim !== undefined && groups === undefined)
    problems.push(['groups', 'the rights of each group in this claim'])
  return problems
}

/** A queue that delivers more messages than its function may take gives up messages unread. */
const settingsShape = plainShape.superRefine((settings, context) => {
  const { checksAtOnce, appliesAtOnce, reserved, machines = {}, groups = {}, secretNames } = settings
  const characters = JSON.stringify(machines).length + JSON.stringify(groups).length + secretNames.join().length
  if (characters > maxCharacters) {
    const message = `have ${characters} characters with groups and secretNames, more than ${maxCharacters}: write fewer, with * for several`
    context.addIssue({ code: 'custom', path: ['machines'], message })
  }
  for (const [path, message] of identityProblems(settings))
    context.addIssue({ code: 'custom', path: [path], message, input: settings[path] })
  const pairs = [
    ['check', reserved.check, 'checksAtOnce', checksAtOnce],
    ['apply', reserved.apply, 'appliesAtOnce', appliesAtOnce],
  ] as const
  for (const [name, kept, setting, least] of pairs) {
    if (kept === undefined || kept >= least) continue
    const message = `is ${kept}, less than ${setting} (${least}): raise it, or lower that`
    context.addIssue({ code: 'custom', path: ['reserved', name], message })
  }
})

export type AnchorSettings = z.infer<typeof anchorsShape>
export type DomainSettings = z.infer<typeof domainShape>
export type NetworkSettings = z.infer<typeof networkShape>
export type Settings = z.infer<typeof settingsShape>
/** What does not concern the stack as a whole. */
export type DeploymentSettings = Omit<Settings, 'stage' | 'tags'>

/** Settings of the command line are a text. */
const contextShape = z.preprocess((given, context): unknown => {
  if (typeof given !== 'string') return given ?? {}
  try {
    return JSON.parse(given)
  } catch {
    context.addIssue({ code: 'custom', message: `the setting plumbline is not JSON: ${given}` })
    return z.NEVER
  }
}, settingsShape)

const spelled = (value: unknown): string => {
  const text = JSON.stringify(value) ?? ''
  return text.length > mostShown ? `${text.slice(0, mostShown)}...` : text
}

/** Names the place in the settings, the value there, and the expected one; a wrong key has its own place. */
const problemOf = ({ path, message, input, ...issue }: z.core.$ZodIssue): string => {
  const reasons = issue.code === 'invalid_key' ? issue.issues.map((one) => one.message) : [message]
  const missing = input === undefined && path.length > 0
  const value = missing || issue.code === 'invalid_key' || input === undefined ? '' : ` ${spelled(input)}`
  return `${z.core.toDotPath(path) || 'plumbline'}${missing ? ' is missing' : value}: ${reasons.join('; ')}`
}

/** This is not an AppError, because no code of the product runs in a synthesis. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(
    problems: readonly string[],
    lead = 'the settings are not valid; correct them in cdk.json under context.plumbline, or in -c plumbline',
  ) {
    super([`${lead}:`, ...problems.map((problem) => `  ${problem}`)].join('\n'))
  }
}

/** Throws a SettingsError, which names each wrong setting with its value and the expected one. */
export const readSettings = (node: Node): Settings => {
  const { data, error } = contextShape.safeParse(node.tryGetContext('plumbline'), { reportInput: true })
  if (error !== undefined) throw new SettingsError(error.issues.map(problemOf))
  return data
}

/** These belong to the stack and the bundles, which a construct does not make. */
const ofStack = {
  stage: 'name your stack, the names of everything in Plumbline begin with its name',
  tags: 'use Tags.of(...) of the CDK',
  packages: 'the functions of the published package have none; deploy from the repository',
}

/** The settings in the props of a construct. Throws a SettingsError, which names each wrong one. */
export const settingsOfProps = (props: unknown): DeploymentSettings => {
  const lead = 'the props of Plumbline are not valid'
  const { data, error } = settingsShape.safeParse(props, { reportInput: true })
  if (error !== undefined) throw new SettingsError(error.issues.map(problemOf), lead)
  const given = new Set(Object.keys(Object(props)))
  const foreign = Object.entries(ofStack).filter(([name]) => given.has(name))
  if (foreign.length === 0) return data
  throw new SettingsError(
    foreign.map(([name, advice]) => `${name}: is no prop of the construct: ${advice}`),
    lead,
  )
}

/** As a person writes them. */
export type GivenSettings = z.input<typeof settingsShape>
