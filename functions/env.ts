import * as z from 'zod'
import { AppError, parseForeign, usualRetention } from '#core'
import { jsonFaults } from './adapters/json-in.ts'
import { readRights } from './rights.ts'

const text = z.string().min(1, 'is empty')
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `is less than ${least}`).max(most, `is more than ${most}`))

/** Names of secrets that workspaces may read, separated by commas. */
const secretNames = z.string().transform((value) => value.split(',').filter((part) => part !== ''))

const rightsText = z
  .string()
  .refine(
    (text) => readRights(text) !== undefined,
    'grants something else than read, check, apply or one of them for a workspace',
  )
  .transform((text) => readRights(text) ?? [])

const jsonText = z.string().transform((text, { addIssue }) => {
  const parsed = parseForeign(text)
  if ('value' in parsed) return parsed.value
  addIssue(jsonFaults[parsed.fault])
  return z.NEVER
})
/** Rights by ARN patterns of callers, in which `*` matches any text, or by names of groups. */
const rightsByName = jsonText.pipe(z.record(text, rightsText))
/** How people sign in, for `GET /v1/sign-in`. */
const signIn = jsonText.pipe(
  z.object({ issuer: text, clientId: text, scope: text, origins: z.array(text).exactOptional() }),
)

/**
 * Each function gets only the variables that it uses, so the others are optional here; `deps.ts` names a missing one at
 * its first use. Powertools reads LOG_LEVEL and POWERTOOLS_* itself, the AWS SDK AWS_*.
 */
const envShape = z
  .object({
    TABLE_NAME: text,
    /** Where people reach this deployment. */
    ENDPOINT: z.url('is not a URL').exactOptional(),
    /** Where people reach the web page of this deployment, if it has one. */
    PAGE_URL: z.url('is not a URL').exactOptional(),
    TOPIC_ARN: text.startsWith('arn:', 'is not an ARN').exactOptional(),
    CHECK_QUEUE_URL: z.url('is not a URL').exactOptional(),
    APPLY_QUEUE_URL: z.url('is not a URL').endsWith('.fifo', 'does not end in .fifo').exactOptional(),
    /** Where the function puts messages that it can never process. */
    DEAD_QUEUE_URL: z.url('is not a URL').exactOptional(),
    SEAL_KEY_ID: text.startsWith('arn:', 'is not an ARN').exactOptional(),
    SEAL_KEY_FILE: text.exactOptional(),
    /**
     * The folder of the function's code, which Lambda sets:
     * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
     */
    LAMBDA_TASK_ROOT: text.exactOptional(),
    /** The clients of the AWS SDK read these variables themselves; the hand-written KMS request needs them too. */
    AWS_ENDPOINT_URL_KMS: z.url('is not a URL').exactOptional(),
    AWS_ENDPOINT_URL: z.url('is not a URL').exactOptional(),
    /** Absent together: heads of ledgers are not anchored. */
    ANCHOR_KEY_ID: text.startsWith('arn:', 'is not an ARN').exactOptional(),
    ANCHOR_BUCKET: text.exactOptional(),
    ANCHOR_DEPLOYMENT: text.exactOptional(),
    AWS_ENDPOINT_URL_S3: z.url('is not a URL').exactOptional(),
    SECRET_NAMES: secretNames.default([]),
    CONCURRENCY: wholeNumber(1, 1000).default(10),
    LEASE_SECONDS: wholeNumber(5, 900).default(30),
    KEPT_DAYS_IN_SYNC: wholeNumber(1, 36_500).default(usualRetention.inSyncDays),
    KEPT_DAYS_OTHER: wholeNumber(1, 36_500).default(usualRetention.otherDays),
    KEPT_DAYS_BACKUP: wholeNumber(1, 36_500).default(usualRetention.backupDays),
    OVERDUE_AFTER_MINUTES: wholeNumber(1, 10_000).default(30),
    REQUIRED_SCOPES_IAM: rightsByName.exactOptional(),
    SCOPE_PREFIX: z.string().default(''),
    /** The claim with the groups of a person. */
    GROUPS_CLAIM: text.exactOptional(),
    /** JSON: names of groups with their rights. */
    GROUP_RIGHTS: rightsByName.exactOptional(),
    SIGN_IN: signIn.exactOptional(),
  })
  .readonly()

export type Env = z.infer<typeof envShape>
export type EnvName = keyof Env

/** Throws ENVIRONMENT_INVALID, which names every wrong variable and never a value. */
export const readEnv = (variables: Readonly<Record<string, string | undefined>>): Env => {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined))
  const parsed = envShape.safeParse(given)
  if (parsed.success) return Object.freeze(parsed.data)
  const problems = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0])
    return given[name] === undefined ? `${name} is not set` : `${name} ${issue.message}`
  })
  throw new AppError('ENVIRONMENT_INVALID', { problems })
}

let known: Env | undefined

/** The environment is read at the first call and never again. */
export const environment = (): Env => {
  known ??= readEnv(process.env)
  return known
}
