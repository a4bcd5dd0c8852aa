import { Annotations, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'

/**
 * The topic of alarms about Plumbline itself, apart from its findings. It has its own key, because the fault may be the
 * key of everything else.
 */
export class Operations extends Construct {
  readonly topic: Topic

  constructor(scope: Construct, id: string, props: { readonly mail: readonly string[] }) {
    super(scope, id)
    const key = new Key(this, 'Key', {
      enableKeyRotation: true,
      description: 'plumbline alarms',
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true })
    if (props.mail.length === 0) {
      const text =
        'alarms about Plumbline itself have no subscriber: set `operations`, or subscribe to the topic yourself'
      Annotations.of(this).addWarningV2('plumbline:alarms-without-subscriber', text)
    }
    for (const address of props.mail) this.topic.addSubscription(new EmailSubscription(address))
    // A topic with its own policy has lost the default one that lets its account publish, and CloudWatch has no role.
    // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
    this.topic.addToResourcePolicy(this.forAlarms(['sns:Publish'], this.topic.topicArn))
    key.addToResourcePolicy(this.forAlarms(['kms:Decrypt', 'kms:GenerateDataKey*'], '*'))
  }

  /** Allows actions to CloudWatch, only for the alarms of this account and region. */
  private forAlarms(actions: readonly string[], resource: string): PolicyStatement {
    const { account, region, partition } = Stack.of(this)
    return new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: [...actions],
      resources: [resource],
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: { 'aws:SourceArn': `arn:${partition}:cloudwatch:${region}:${account}:alarm:*` },
      },
    })
  }
}
