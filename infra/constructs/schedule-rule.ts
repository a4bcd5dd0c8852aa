import { Duration, Stack } from 'aws-cdk-lib'
import { Schedule as EventSchedule, Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { allow, allowKey } from './access.ts'
import { period } from './alarms.ts'

export interface ScheduleRuleProps {
  readonly handler: IFunction
  readonly deadLetters: IQueue
  readonly key: IKey
}

/**
 * Calls the schedule function every minute. A late or failed call is not retried, because the next one finds the same
 * workspaces.
 */
export class ScheduleRule extends Construct {
  constructor(scope: Construct, id: string, props: ScheduleRuleProps) {
    super(scope, id)
    // Only the scheduler of this account may use the role, no schedule of another account.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    })
    allow(role, ['lambda:InvokeFunction'], [props.handler.functionArn])
    allow(role, ['sqs:SendMessage'], [props.deadLetters.queueArn])
    allowKey(role, props.key)
    props.handler.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) })
    new Schedule(this, 'EveryMinute', {
      schedule: ScheduleExpression.rate(Duration.minutes(1)),
      target: new LambdaInvoke(props.handler, {
        deadLetterQueue: props.deadLetters,
        maxEventAge: Duration.minutes(1),
        retryAttempts: 0,
        role: role.withoutPolicyUpdates(),
      }),
      description: 'plumbline: which workspaces are due',
    })
  }
}

/**
 * Calls the watch function once in each period of the alarms. It uses a rule of EventBridge, while the ticks come from
 * EventBridge Scheduler: a fault of one does not stop the other.
 */
export class Lookout extends Construct {
  constructor(scope: Construct, id: string, { handler }: { readonly handler: IFunction }) {
    super(scope, id)
    // A late call is useless: the next one reports the same, and a missing number raises an alarm.
    const once = { retryAttempts: 0, maxEventAge: Duration.minutes(1) }
    handler.configureAsyncInvoke(once)
    new Rule(this, 'EveryFiveMinutes', {
      schedule: EventSchedule.rate(period),
      targets: [new LambdaFunction(handler, once)],
      description: 'plumbline: what was not checked in time',
    })
  }
}
