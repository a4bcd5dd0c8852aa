import * as z from 'zod'
import { readRights } from '../functions/rights.ts'

const segment = /^(?!\.+$)([A-Za-z0-9_.-]+|\{workspace\})$/
/** `*` and `{workspace}` are whole segments, so that no name is the prefix of another, and none matches everything. */
export const secretName = z
  .string()
  .max(900, 'is longer than Parameter Store takes')
  .refine((name) => {
    const [first = '', ...rest] = name.split('/')
    const last = rest.at(-1)
    const named = last === '*' ? rest.slice(0, -1) : rest
    return /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/.test(first) && named.every((part) => segment.test(part))
  }, 'is not a name such as plumbline/{workspace}/* or plumbline/shared/proxy-password')

export const stage = z
  .string()
  .max(30, 'is longer than 30 characters')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is not a name of small letters, digits and single hyphens, such as staging')

/** https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html */
const tagText = z.string().regex(/^[\p{L}\p{N} _.:/=+@-]*$/u, 'has a character that AWS allows in no tag')
export const tags = z
  .record(
    tagText
      .min(1, 'is empty')
      .max(128)
      .regex(/^(?!aws:)/i, 'begins with aws:, which AWS keeps for itself'),
    tagText.max(256),
  )
  .refine((map) => Object.keys(map).length <= 50, 'has more than 50 tags, the most that AWS takes')

export const rights = z
  .string()
  .refine((text) => (readRights(text) ?? []).length > 0, 'is not a list of rights such as `read check:acme-*`')
/** A list with a repeated entry is a mistake of the user. */
export const distinct = <Shape extends z.ZodType<string>>(each: Shape) =>
  z.array(each).refine((list) => new Set(list).size === list.length, 'names one twice')
export const word = z.string().regex(/^\S*$/, 'holds a space')

/** Names that nobody can have: https://www.rfc-editor.org/rfc/rfc6761#section-6 */
const placeholder = /(^|\.)(example|invalid|test|localhost|example\.(com|net|org))$/

/** As tokens contain it: https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata */
export const issuer = z
  .string()
  .regex(/^[^\s?#@]+$/, 'holds a space, a user, a query or a fragment')
  .pipe(z.url({ protocol: /^https$/, message: 'is no https address' }))
  .refine(
    (url) => !placeholder.test(URL.parse(url)?.hostname ?? ''),
    'is a placeholder: write the address of your issuer, or `"identity": "cognito"` without issuer and audience',
  )

/**
 * The ARN of a role itself is refused, because no caller has it. The user of an assumed role chooses the last part of
 * the ARN.
 */
export const arnPattern = z
  .string()
  .regex(
    /^arn:[a-z-]+:(sts::\d{12}:(assumed-role|federated-user)\/|iam::\d{12}:(user\/|root$))\S*$/,
    'is no ARN of a caller, its account written out: arn:aws:sts::123456789012:assumed-role/ci/*, or one of a user',
  )

export const keyArn = z
  .string()
  .regex(
    /^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
    'is no ARN of a key of KMS',
  )

/** An own name of the API for people. */
export const domainShape = z.strictObject({
  name: z
    .string()
    .max(64, 'is longer than API Gateway takes, 64')
    .regex(
      /^(?!-)[a-z0-9-]+(\.(?!-)[a-z0-9-]+)+$/,
      'is not the name of a host in small letters, such as plumbline.acme.com',
    ),
  /** For this name, in ACM of the same region. */
  certificate: z
    .string()
    .regex(
      /^arn:[a-z-]+:acm:[a-z0-9-]+:\d{12}:certificate\/[0-9a-f-]{36}$/,
      'is no ARN of a certificate of ACM: arn:aws:acm:<region>:<account>:certificate/<id>',
    ),
  /** The id of the public hosted zone that gets the records of the name; without it the name is pointed there by hand. */
  zone: z
    .string()
    .regex(/^Z[A-Z0-9]{1,31}$/, 'is no id of a hosted zone, such as Z0123456789ABC')
    .exactOptional(),
  /** False: the address that AWS gives to the API answers no more. */
  defaultEndpoint: z.boolean().default(true),
})

/** Requests a second, and at once, of each API. */
export const throttleShape = z.strictObject({
  rate: z.number().int().min(1, 'is less than 1').max(10_000, 'is more than an account has, 10000').default(50),
  burst: z.number().int().min(1, 'is less than 1').max(5_000, 'is more than an account has, 5000').default(100),
})

const id = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}-[0-9a-f]{8,17}$`), `is not an id such as ${prefix}-0a1b2c3d`)

export const networkShape = z.strictObject({
  vpc: id('vpc'),
  /** Private subnets, each in its own availability zone. */
  subnets: distinct(id('subnet')).min(1),
  /** Check and apply reach only what these groups allow. */
  securityGroups: distinct(id('sg')).min(1).max(5),
  /**
   * The route tables of the subnets: each gets the gateway to DynamoDB, which costs nothing. Omit those that have one.
   */
  routeTables: distinct(id('rtb')).default([]),
  /**
   * Creates the AWS endpoints that the functions need; without them the network needs a route out, for example a NAT
   * gateway.
   */
  interfaceEndpoints: z.boolean().default(false),
})

export const anchorsShape = z.strictObject({
  /** How long an anchor cannot be deleted. */
  days: z.number().int().min(1, 'is less than 1').max(36_500, 'is more than S3 takes, 36500').default(365),
  /** `governance`: whoever has s3:BypassGovernanceRetention can delete an anchor. `compliance`: nobody can. */
  mode: z.enum(['governance', 'compliance']).default('governance'),
})

export const packageId = z
  .string()
  .regex(
    /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*@\d+\.\d+\.\d+(?:-[\w.-]+)?$/,
    'is no package with an exact version, such as @acme/plumbline-provider@1.0.0',
  )

export const packageShape = z.strictObject({
  /** The digest of the bytes of the module. */
  integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/, 'is no SHA-512 in Base64: sha512-...'),
  /** The file of the module, relative to the folder of the synthesis; the installed package when absent. */
  module: z.string().min(1).exactOptional(),
})

export const atOnce = z
  .number()
  .int()
  .min(2, 'is less than 2, the least that SQS takes')
  .max(1000, 'is more than SQS takes, 1000')
const kept = z.number().int().min(1).max(1000).exactOptional()

/** Reserved concurrency of each function, which is also its limit. */
export const reservedShape = z.strictObject({ schedule: kept, check: kept, apply: kept, api: kept, watch: kept })
