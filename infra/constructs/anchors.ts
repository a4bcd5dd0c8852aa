import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Effect, type IRole, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam'
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectLockRetention } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import type { AnchorSettings } from '../settings.ts'
import { allow } from './access.ts'

/** It remains when its stack is deleted, because the anchors are evidence. */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

export type SigningAction = 'kms:Sign' | 'kms:GetPublicKey'

/** Signed heads of the ledgers, where nobody can change or delete them before their time. */
export class AnchorStore extends Construct {
  readonly bucket: Bucket
  readonly key: Key
  private readonly signers: IRole[] = []

  constructor(scope: Construct, id: string, { days, mode }: AnchorSettings) {
    super(scope, id)
    this.key = new Key(this, 'Key', {
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      description: 'plumbline: signatures of the heads of ledgers',
      removalPolicy,
    })
    const kept = Duration.days(days)
    this.bucket = new Bucket(this, 'Bucket', {
      versioned: true,
      objectLockEnabled: true,
      objectLockDefaultRetention:
        mode === 'compliance' ? ObjectLockRetention.compliance(kept) : ObjectLockRetention.governance(kept),
      // Not with the key of the table: whoever could delete that key would make the evidence unreadable.
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy,
    })
  }

  /** Lets a function sign heads and add them, and nothing else: it can neither read nor delete an anchor. */
  letSign(role: IRole, withKey: readonly SigningAction[]): void {
    allow(role, withKey, [this.key.keyArn])
    allow(role, ['s3:PutObject'], [this.bucket.arnForObjects('*')])
    this.signers.push(role)
  }

  /** `service`: the name of the deployment in its account and region, which a restored table keeps. */
  environment(service: string): Record<string, string> {
    const { account, region } = Stack.of(this)
    return {
      ANCHOR_KEY_ID: this.key.keyArn,
      ANCHOR_BUCKET: this.bucket.bucketName,
      ANCHOR_DEPLOYMENT: `${account}/${region}/${service}`,
    }
  }

  /** Denies signatures to everybody else in the account, whatever their own policies allow. */
  closeKey(): void {
    this.key.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new StarPrincipal()],
        actions: ['kms:Sign'],
        resources: ['*'],
        conditions: { ArnNotEquals: { 'aws:PrincipalArn': this.signers.map(({ roleArn }) => roleArn) } },
      }),
    )
  }
}
