import { type App, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'

/** A finding that stands, with its reason. `path` ends the path of the construct that it is about. */
interface Acknowledged {
  readonly path: string
  readonly rule: string
  readonly reason: string
}

const open =
  'liveness and the API description say nothing about any workspace, and are needed before anyone has a token'
const prefix =
  'the names of target credentials are the user’s own; the role may read those below the configured prefix only'

const acknowledged = (secretsPrefix: string): readonly Acknowledged[] => [
  {
    path: 'SealKey',
    rule: 'SMG4',
    reason: 'a rotated key would make every stored digest of a secret look changed; it never leaves the functions',
  },
  { path: 'Queues/DeadTicks', rule: 'SQS3', reason: 'it is the dead-letter queue of the schedule' },
  ...['People', 'Machines'].flatMap((door) =>
    ['health', 'openapi.json'].map((name) => ({
      path: `Endpoint/${door}/GET--v1--${name}`,
      rule: 'APIG4',
      reason: open,
    })),
  ),
  ...['Check', 'Apply'].flatMap((handler) =>
    [`ssm:<AWS::Region>:<AWS::AccountId>:parameter/`, `secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:`].map(
      (resource) => ({
        path: `${handler}/Role/DefaultPolicy`,
        rule: `IAM5[Resource::arn:<AWS::Partition>:${resource}${secretsPrefix}*]`,
        reason: prefix,
      }),
    ),
  ),
]

/** Attaches the AWS Solutions rules; a finding that is not acknowledged above fails the synth. */
export const attachNag = (app: App, stack: Stack, secretsPrefix: string): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  for (const { path, rule, reason } of acknowledged(secretsPrefix)) {
    const construct = stack.node.findAll().find((each) => each.node.path.endsWith(`/${path}`))
    if (construct !== undefined) Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason })
  }
}
