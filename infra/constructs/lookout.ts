import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { period } from './alarms.ts'

/**
 * Calls the function that says how old everything has become, once in each period of the alarms. By a rule of EventBridge,
 * while the ticks come from EventBridge Scheduler: nothing that stops the one stops the other.
 */
export class Lookout extends Construct {
  constructor(scope: Construct, id: string, { handler }: { readonly handler: IFunction }) {
    super(scope, id)
    // What is late is worth nothing: the next call says the same, and a missing number is an alarm.
    const once = { retryAttempts: 0, maxEventAge: Duration.minutes(1) }
    handler.configureAsyncInvoke(once)
    new Rule(this, 'EveryFiveMinutes', {
      schedule: Schedule.rate(period),
      targets: [new LambdaFunction(handler, once)],
      description: 'plumbline: what was not checked in time',
    })
  }
}
