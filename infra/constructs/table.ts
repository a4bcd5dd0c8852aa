import { RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table as DynamoTable, TableEncryption } from 'aws-cdk-lib/aws-dynamodb'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'

/**
 * The only table: state, runs, ledger. It remains when its stack is deleted, because the ledger is evidence. (TableV2
 * cannot be synthesised with a customer key unless the stack names its region.)
 */
export class Table extends Construct {
  readonly table: DynamoTable

  constructor(scope: Construct, id: string, props: { readonly key: IKey }) {
    super(scope, id)
    this.table = new DynamoTable(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: props.key,
      timeToLiveAttribute: 'ttl',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })
  }
}
