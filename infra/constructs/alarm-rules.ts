import { Duration } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { period, type Rule } from './alarms.ts'
import { keptFor } from './queues.ts'

/** By what stands at the beginning of the alarm's name. */
type Named<Thing> = Readonly<Record<string, Thing>>

export interface Watched {
  readonly functions: Named<IFunction>
  /** Those of the functions that Lambda calls from a queue of its own, which drops what waits too long. */
  readonly asynchronous: readonly string[]
  /** The function that must run every minute. */
  readonly heartbeat: IFunction
  readonly queues: Named<IQueue>
  readonly deadLetters: Named<IQueue>
  readonly apis: Named<HttpApi>
  readonly topics: Named<ITopic>
  readonly tableName: string
}

/** A check, or what has gone before it in the queue, may take a quarter of an hour. */
const waitsTooLong = Duration.minutes(30)
/** Four days are left to look at what was given up. */
const isForgotten = Duration.days(keptFor.toDays() - 4)

const functionRules = ({ functions, asynchronous }: Watched): readonly Rule[] =>
  Object.entries(functions).flatMap(([name, each]): readonly Rule[] => [
    {
      id: `${name}Errors`,
      means: `the function ${name} fails, or runs out of time or memory`,
      metric: each.metricErrors({ period }),
      from: 1,
      silence: 'fine',
    },
    {
      id: `${name}Throttles`,
      means: `the function ${name} may not run as often as it must`,
      metric: each.metricThrottles({ period }),
      from: 1,
      silence: 'fine',
    },
    ...(asynchronous.includes(name) ? [droppedRule(name, each)] : []),
  ])

const droppedRule = (name: string, each: IFunction): Rule => ({
  id: `${name}Dropped`,
  means: `a call of the function ${name} was dropped`,
  metric: each.metric('AsyncEventsDropped', { period, statistic: 'Sum' }),
  from: 1,
  silence: 'fine',
})

const queueRules = ({ queues }: Watched): readonly Rule[] =>
  Object.entries(queues).map(([name, each]) => ({
    id: `${name}Waiting`,
    means: `the oldest message of the queue ${name} has waited for ${waitsTooLong.toMinutes()} minutes: it stands still, or is too long`,
    metric: each.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
    from: waitsTooLong.toSeconds(),
    silence: 'same',
  }))

const deadLetterRules = ({ deadLetters }: Watched): readonly Rule[] =>
  Object.entries(deadLetters).flatMap(([name, each]): readonly Rule[] => [
    {
      id: name,
      means: `work was given up, and waits in the queue ${name}`,
      metric: each.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      from: 1,
      silence: 'same',
    },
    {
      id: `${name}Forgotten`,
      means: `nobody looked for ${isForgotten.toDays()} days at what waits in the queue ${name}: SQS deletes it soon`,
      metric: each.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      from: isForgotten.toSeconds(),
      silence: 'same',
    },
  ])

const apiRules = ({ apis }: Watched): readonly Rule[] =>
  Object.entries(apis).map(([name, each]) => ({
    id: `${name}ServerErrors`,
    means: `the API for ${name.toLowerCase()} answers with 5xx`,
    metric: each.metricServerError({ period, statistic: 'Sum' }),
    from: 1,
    silence: 'fine',
  }))

const topicRules = ({ topics }: Watched): readonly Rule[] =>
  Object.entries(topics).map(([name, each]) => ({
    id: `${name}Undeliverable`,
    means: `a subscriber of the topic ${name} cannot be reached`,
    metric: each.metricNumberOfNotificationsFailed({ period, statistic: 'Sum' }),
    from: 1,
    silence: 'fine',
  }))

const tableRules = ({ tableName }: Watched): readonly Rule[] =>
  ['Read', 'Write'].map((kind) => ({
    id: `Table${kind}Throttles`,
    means: `the table takes fewer ${kind.toLowerCase()}s than are asked for`,
    metric: new Metric({
      namespace: 'AWS/DynamoDB',
      metricName: `${kind}ThrottleEvents`,
      dimensionsMap: { TableName: tableName },
      statistic: 'Sum',
      period,
    }),
    from: 1,
    periods: 2,
    silence: 'fine',
  }))

const silentRule = ({ heartbeat }: Watched): Rule => ({
  id: 'Silent',
  means: 'no tick of the schedule for five minutes: nothing is being checked',
  metric: heartbeat.metricInvocations({ period }),
  from: 1,
  below: true,
  silence: 'wrong',
})

/** On what AWS counts of the parts. */
export const alarmRules = (watched: Watched): readonly Rule[] => [
  silentRule(watched),
  ...functionRules(watched),
  ...queueRules(watched),
  ...deadLetterRules(watched),
  ...apiRules(watched),
  ...topicRules(watched),
  ...tableRules(watched),
]
