import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { Plumbline } from './constructs/plumbline.ts'
import type { Settings } from './settings.ts'

export interface PlumblineStackProps extends StackProps {
  readonly settings: Settings
  readonly bundle: string
}

/** The names of everything in the stack begin with its name, so that stages of one account do not meet. */
export const stackNameOf = ({ stage }: Pick<Settings, 'stage'>): string =>
  stage === undefined ? 'Plumbline' : `Plumbline-${stage}`

export class PlumblineStack extends Stack {
  constructor(scope: Construct, id: string, props: PlumblineStackProps) {
    super(scope, id, props)
    const { endpoint, topic, operations, table, identity, people, anchors, dashboard } = new Plumbline(
      this,
      'Plumbline',
      {
        ...props.settings,
        bundle: props.bundle,
      },
    )
    for (const [name, value] of Object.entries(props.settings.tags)) Tags.of(this).add(name, value)
    // Directly in the stack, so that their names have no suffix and stay what documents say.
    const outputs = {
      PeopleEndpoint: endpoint.peopleUrl,
      MachineEndpoint: endpoint.machinesUrl,
      AlertTopic: topic.topicArn,
      OperationsTopic: operations.topic.topicArn,
      TableName: table.table.tableName,
      AnchorBucket: anchors?.bucket.bucketName,
      AnchorKey: anchors?.key.keyArn,
      Dashboard: dashboard?.page.dashboardName,
      UserPool: identity?.pool.userPoolId,
      Issuer: identity && people.issuer,
    }
    for (const [name, value] of Object.entries(outputs)) if (value !== undefined) new CfnOutput(this, name, { value })
  }
}
