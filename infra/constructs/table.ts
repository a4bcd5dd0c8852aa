import { RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  Table as DynamoTable,
  type ITable,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'

/**
 * The only table: state, runs, ledger. It remains when its stack is deleted, because the ledger is evidence. (TableV2
 * cannot be synthesised with a customer key unless the stack names its region.)
 */
export class Table extends Construct {
  readonly table: Pick<ITable, 'tableName' | 'tableArn'>

  /** `name`: of a table that exists. */
  constructor(scope: Construct, id: string, props: { readonly key: IKey; readonly name?: string | undefined }) {
    super(scope, id)
    if (props.name !== undefined) {
      const attributes = { tableName: props.name, encryptionKey: props.key }
      this.table = DynamoTable.fromTableAttributes(this, 'Table', attributes)
      return
    }
    this.table = new DynamoTable(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: props.key,
      timeToLiveAttribute: 'ttl',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    })
  }
}
