import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import {
  type AlarmRule,
  alarmedMetrics,
  type MetricName,
  metricNamespace,
  metricTable,
} from '../../functions/metric-names.ts'

export interface AlarmsProps {
  readonly topic: ITopic
  /** Under which the functions write their metrics. */
  readonly service: string
  readonly functions: Readonly<Record<string, IFunction>>
  readonly deadLetters: readonly IQueue[]
  /** The function that must run every minute. */
  readonly heartbeat: IFunction
}

/** A detector that has stopped looks like one that finds nothing; these tell the two apart. */
export class Alarms extends Construct {
  private readonly action: SnsAction

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id)
    this.action = new SnsAction(props.topic)
    const period = Duration.minutes(5)
    for (const [name, each] of Object.entries(props.functions)) {
      this.atLeastOne(`${name}Errors`, each.metricErrors({ period }), `the ${name} function fails`)
    }
    for (const [index, queue] of props.deadLetters.entries()) {
      const waiting = queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' })
      this.atLeastOne(`DeadLetters${index + 1}`, waiting, `work was given up and waits in ${queue.node.id}`)
    }
    for (const [name, rule] of alarmedMetrics) this.own(name, rule, props.service)
    const silent = new Alarm(this, 'Silent', {
      alarmDescription: 'no schedule tick for five minutes: nothing is being checked',
      metric: props.heartbeat.metricInvocations({ period }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    })
    silent.addAlarmAction(this.action)
  }

  /** On a number that the functions write themselves. */
  private own(name: MetricName, rule: AlarmRule, service: string): void {
    const statistic = metricTable[name].unit === 'Count' ? 'Sum' : 'Maximum'
    const alarm = new Alarm(this, name, {
      alarmDescription: rule.means,
      metric: new Metric({
        namespace: metricNamespace,
        metricName: name,
        dimensionsMap: { service },
        period: Duration.minutes(5),
        statistic,
      }),
      threshold: rule.from,
      evaluationPeriods: rule.periods ?? 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: rule.silence === 'wrong' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    })
    alarm.addAlarmAction(this.action)
  }

  private atLeastOne(id: string, metric: IMetric, alarmDescription: string): void {
    const alarm = new Alarm(this, id, {
      alarmDescription,
      metric,
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    alarm.addAlarmAction(this.action)
  }
}
