interface Place {
  readonly partition: string
  readonly region: string
  readonly account: string
}

/** A function works for every workspace, so a policy cannot separate them; the functions do. */
const ofAll = (name: string): string => name.replaceAll('{workspace}', '*')

export const parameterArn = ({ partition, region, account }: Place, name: string): string =>
  `arn:${partition}:ssm:${region}:${account}:parameter/${ofAll(name)}`

/** Secrets Manager puts a hyphen and six characters behind a name.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_iam-policies.html */
export const secretArn = ({ partition, region, account }: Place, name: string): string =>
  `arn:${partition}:secretsmanager:${region}:${account}:secret:${ofAll(name)}${name.endsWith('*') ? '' : '-??????'}`

/** Webhook secrets are the names whose last part is `webhook`. */
export const webhookNames = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => (/(^|\/)(\*|webhook)$/.test(name) ? [name.replace(/\*$/, 'webhook')] : []))
