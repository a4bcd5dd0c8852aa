import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'

const readActions = ['dynamodb:GetItem', 'dynamodb:Query']
/** A transaction needs the rights of its parts; no function may update items in place or scan. */
const writeActions = ['dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem']
const appendActions = ['dynamodb:PutItem', 'dynamodb:ConditionCheckItem']

/** Gives a role exactly these actions: the `grant` methods of the CDK add wildcards and unused actions. */
export const allow = (role: IRole, actions: readonly string[], resources: readonly string[]): void => {
  role.addToPrincipalPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }))
}

export const allowKey = (role: IRole, key: IKey): void =>
  allow(role, ['kms:Decrypt', 'kms:GenerateDataKey'], [key.keyArn])

/** A service of AWS that keeps secrets, and what it tells KMS about the secret that is to be decrypted. */
interface SecretKeeper {
  readonly service: 'ssm' | 'secretsmanager'
  readonly context: 'PARAMETER_ARN' | 'SecretARN'
}

export const parameterStore: SecretKeeper = { service: 'ssm', context: 'PARAMETER_ARN' }
export const secretsManager: SecretKeeper = { service: 'secretsmanager', context: 'SecretARN' }

/**
 * Lets a role decrypt with keys of the user, only through the service that keeps the secrets, and only the named ones.
 * https://docs.aws.amazon.com/kms/latest/developerguide/services-parameter-store.html
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
 */
export const allowSecretKeys = (
  role: IRole,
  { service, context }: SecretKeeper,
  { keys, region, secrets }: Readonly<Record<'keys' | 'secrets', readonly string[]>> & { readonly region: string },
): void => {
  if (keys.length === 0) return
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [...keys],
      conditions: {
        StringEquals: { 'kms:ViaService': `${service}.${region}.amazonaws.com` },
        StringLike: { [`kms:EncryptionContext:${context}`]: [...secrets] },
      },
    }),
  )
}

export type Access = Readonly<Partial<Record<'read' | 'write' | 'append', readonly string[]>>>

/**
 * Gives a role access to some partitions of the table. `append` can write new items and never delete one: together with
 * the condition that the code sends for each entry, this makes the ledger append-only for the functions themselves.
 */
export const allowPartitions = (
  role: IRole,
  table: Pick<ITable, 'tableArn'>,
  { read = [], write = [], append = [] }: Access,
): void => {
  const allowKeys = (actions: readonly string[], keys: readonly string[]): void => {
    if (keys.length === 0) return
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: [...actions],
        resources: [table.tableArn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
      }),
    )
  }
  allowKeys(readActions, [...read, ...write, ...append])
  allowKeys(writeActions, write)
  allowKeys(appendActions, append)
}
