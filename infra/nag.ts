import { type App, CfnElement, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import { openPaths, pagePaths } from './constructs/endpoint.ts'
import { parameterArn, secretArn, webhookNames } from './constructs/secret-arns.ts'

/** `path` is the end of the construct's path. */
interface Acknowledged {
  readonly path: string
  readonly rule: string
  readonly reason: string
}

/** The rules write these texts for values that are known only when the stack is deployed. */
const place = { partition: '<AWS::Partition>', region: '<AWS::Region>', account: '<AWS::AccountId>' }

const open =
  'liveness and the API description say nothing about any workspace, and are needed before anyone has a token'
const signed = 'GitHub has no token: the function verifies the signature of each delivery before it uses a part of it'
const names = 'the names of target credentials are the user’s own; the role may read those that the settings name only'

const handlerIds = ['Schedule', 'Check', 'Apply', 'Api', 'Watch']

/** `anchorBucket`: its logical id. */
const acknowledged = (secretNames: readonly string[], anchorBucket: string): readonly Acknowledged[] => [
  ...['Check', 'Apply'].map((handler) => ({
    path: `${handler}/Role/DefaultPolicy`,
    rule: 'IAM5[Resource::*]',
    reason: 'what Lambda does to put a function into a network cannot be confined, and its code is denied it',
  })),
  ...handlerIds.map((handler) => ({
    path: `${handler}/Role/DefaultPolicy`,
    rule: 'IAM5[Resource::*]',
    reason: 'X-Ray has no resources to which the right to put a segment could be confined',
  })),
  {
    path: 'Identity/Pool',
    rule: 'COG8',
    reason: 'the plus plan costs for each user, and a second factor is required of everybody',
  },
  {
    path: 'Anchors/Bucket',
    rule: 'S1',
    reason: 'only two functions write to it, and a log of its reads would need a bucket of its own',
  },
  ...['Schedule', 'Apply'].map((handler) => ({
    path: `${handler}/Role/DefaultPolicy`,
    rule: `IAM5[Resource::<${anchorBucket}.Arn>/*]`,
    reason: 'names of anchors contain the workspace and the time; the role may only add them',
  })),
  {
    path: 'Rollout/Role',
    rule: 'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason:
      'it is the policy that the CDK gives to CodeDeploy, and CodeDeploy moves aliases with it, and nothing else here',
  },
  { path: 'Queues/DeadTicks', rule: 'SQS3', reason: 'it is the dead-letter queue of the schedule' },
  ...['People', 'Machines'].flatMap((api) =>
    [...openPaths, ...pagePaths].map((path) => ({
      path: `Endpoint/${api}/GET${path.replaceAll('/', '--')}`,
      rule: 'APIG4',
      reason: open,
    })),
  ),
  ...['People', 'Machines'].map((api) => ({
    path: `Endpoint/${api}/POST--v1--workspaces--{workspace}--webhook`,
    rule: 'APIG4',
    reason: signed,
  })),
  ...[
    ['Check', secretNames] as const,
    ['Apply', secretNames] as const,
    ['Api', webhookNames(secretNames)] as const,
  ].flatMap(([handler, allowed]) =>
    allowed
      .flatMap((name) => [parameterArn(place, name), secretArn(place, name)])
      .filter((arn) => /[*?]/.test(arn))
      .map((arn) => ({ path: `${handler}/Role/DefaultPolicy`, rule: `IAM5[Resource::${arn}]`, reason: names })),
  ),
]

/** Attaches the AWS Solutions rules; a finding that is not acknowledged above fails the synth. */
export const attachNag = (app: App, stack: Stack, secretNames: readonly string[]): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  const found = (path: string) => stack.node.findAll().find((each) => each.node.path.endsWith(`/${path}`))
  const bucket = found('Anchors/Bucket/Resource')
  const anchorBucket = bucket !== undefined && CfnElement.isCfnElement(bucket) ? stack.resolve(bucket.logicalId) : ''
  for (const { path, rule, reason } of acknowledged(secretNames, anchorBucket)) {
    const construct = found(path)
    if (construct !== undefined) Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason })
  }
}
