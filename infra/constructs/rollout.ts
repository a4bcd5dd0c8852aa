import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Alias, type IFunction, type IVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'

/**
 * Callers reach the functions by an alias. CodeDeploy gives a new version a tenth of the calls for a quarter of an hour, in which
 * the schedule has been called once at least, and takes them back if a call fails. Then the deployment of the stack fails, and
 * everything else in it goes back, too.
 */
export class Rollout<Name extends string> extends Construct {
  /** What callers are given. */
  readonly live: Readonly<Record<Name, IFunction>>

  constructor(scope: Construct, id: string, functions: Readonly<Record<Name, LambdaFunction>>) {
    super(scope, id)
    const application = new LambdaApplication(this, 'Application')
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') })
    // The CDK declares the roles of versions and aliases in two ways that the compiler does not take for one.
    const live: Record<string, IFunction> = {}
    for (const [name, from] of Object.entries<LambdaFunction>(functions)) {
      const alias = new Alias(this, `${name}Live`, { aliasName: 'live', version: from.currentVersion as IVersion })
      const deploymentConfig = LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES
      const alarms = [this.addAlarm(name, alias)]
      new LambdaDeploymentGroup(this, `${name}Group`, { application, role, alias, deploymentConfig, alarms })
      live[name] = alias as IFunction
    }
    this.live = live as Record<Name, IFunction>
  }

  /** An alias counts the calls of both its versions; without a call nothing speaks against the new one. */
  private addAlarm(name: string, alias: Alias): Alarm {
    return new Alarm(this, `${name}Fails`, {
      alarmDescription: `the function ${name} fails, or runs out of time or memory: a deployment that goes on is taken back`,
      metric: alias.metricErrors({ period: Duration.minutes(1) }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
  }
}
