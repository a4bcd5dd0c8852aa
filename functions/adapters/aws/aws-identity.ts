import { AppError, defined } from '#core'

type AwsVariables = Readonly<Record<string, string | undefined>>

interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface AwsIdentity {
  readonly region: string
  /** Renewed before they end. Rejects with IDENTITY_MISSING. */
  readonly keys: () => Promise<AwsKeys>
}

const regionInHost = (host: string): string | undefined =>
  /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1]

const regionIn = (variables: AwsVariables): string | undefined =>
  variables['AWS_REGION'] || variables['AWS_DEFAULT_REGION'] || undefined

/**
 * The AWS CLI takes keys in variables before a profile in a variable; the SDK takes the profile first. Throws
 * IDENTITY_MISSING for half of a pair.
 */
const keysIn = (variables: AwsVariables): AwsKeys | undefined => {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = variables
  if (!id) return undefined
  if (!secret)
    throw new AppError('IDENTITY_MISSING', { detail: 'AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not' })
  return { accessKeyId: id, secretAccessKey: secret, ...defined({ sessionToken: token || undefined }) }
}

/** Programs and files have reasons of their own, which may quote a secret: no foreign error is kept as a cause. */
const missing = (detail: string) => (): never => {
  throw new AppError('IDENTITY_MISSING', { detail })
}

/**
 * Finds the region of an endpoint, and the credentials as the AWS CLI finds them: variables, the profile (keys, SSO, a
 * role, a program), a web identity, the container, the instance. Rejects with IDENTITY_MISSING.
 */
export const findAwsIdentity = async (host: string, variables: AwsVariables): Promise<AwsIdentity> => {
  const known = regionInHost(host) ?? regionIn(variables)
  const given = keysIn(variables)
  if (known !== undefined && given !== undefined) return { region: known, keys: async () => given }
  // Each client resolves both, and this one is here anyway.
  const { SSMClient } = await import('@aws-sdk/client-ssm')
  const { config } = new SSMClient(defined({ region: known }))
  const profile = variables['AWS_PROFILE'] ? `the profile "${variables['AWS_PROFILE']}"` : 'the default profile'
  const noRegion = missing(
    `no region is known: it is not in the host name "${host}", AWS_REGION is not set, and ${profile} has none`,
  )
  const region = known ?? (await config.region().catch(noRegion))
  const noKeys = missing(
    `no AWS credentials are found: not in AWS_ACCESS_KEY_ID, not by ${profile}, a web identity, a container or an instance`,
  )
  return { region, keys: async () => given ?? (await config.credentials().catch(noKeys)) }
}
