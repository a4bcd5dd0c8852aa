import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'

/** What all log groups of a deployment have in common. */
export interface LogProps {
  readonly retention: RetentionDays
  /** A key of AWS when absent. */
  readonly encryptionKey?: IKey
}

/**
 * A key for the logs alone: CloudWatch Logs needs no right on the key of the records, which may also be the key of a former
 * stack, whose policy this stack cannot change. It remains as the logs do.
 */
export const addLogKey = (scope: Construct, id: string): IKey => {
  const { partition, region, account, stackName } = Stack.of(scope)
  const key = new Key(scope, id, {
    enableKeyRotation: true,
    description: 'plumbline logs',
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  })
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(`logs.${region}.amazonaws.com`)],
      actions: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
      resources: ['*'],
      conditions: {
        ArnLike: {
          'kms:EncryptionContext:aws:logs:arn': `arn:${partition}:logs:${region}:${account}:log-group:${stackName}-*`,
        },
      },
    }),
  )
  return key
}
