import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { alarmedMetrics, metricNamespace, metricTable } from '../../functions/metric-names.ts'

/** The period of every alarm: long enough for a metric that is written every five minutes. */
export const period = Duration.minutes(5)

/** docs/operations.md tells for each alarm what to do. */
export interface Rule {
  readonly id: string
  readonly means: string
  readonly metric: IMetric
  /** The least number that raises the alarm, or with `below` the least that does not; 1 when absent. */
  readonly from?: number
  readonly below?: boolean
  /** The number of consecutive periods; 1 when absent. */
  readonly periods?: number
  /**
   * The meaning of a missing number. `fine`, when absent: the metric is written only when there is something to count.
   * `wrong`: the metric is always written. `same`: the state stays, because CloudWatch gets no numbers of an unused
   * queue, whatever is in it.
   */
  readonly silence?: 'fine' | 'wrong' | 'same'
}

const missing: Readonly<Record<NonNullable<Rule['silence']>, TreatMissingData>> = {
  fine: TreatMissingData.NOT_BREACHING,
  wrong: TreatMissingData.BREACHING,
  same: TreatMissingData.IGNORE,
}

const ownRules = (service: string): readonly Rule[] =>
  alarmedMetrics.map(([name, rule]) => ({
    id: name,
    ...rule,
    metric: new Metric({
      namespace: metricNamespace,
      metricName: name,
      dimensionsMap: { service },
      statistic: metricTable[name].unit === 'Count' ? 'Sum' : 'Maximum',
      period,
    }),
  }))

export interface AlarmsProps {
  /** The topic for operations, not the topic for alerts. */
  readonly topic: ITopic
  readonly service: string
  readonly rules: readonly Rule[]
}

/**
 * A detector that has stopped looks like one that finds nothing: the alarms distinguish the two. Each alarm also
 * reports when its fault has ended.
 */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { topic, service, rules }: AlarmsProps) {
    super(scope, id)
    const action = new SnsAction(topic)
    for (const rule of [...rules, ...ownRules(service)]) {
      const alarm = new Alarm(this, rule.id, {
        alarmDescription: rule.means,
        metric: rule.metric,
        threshold: rule.from ?? 1,
        evaluationPeriods: rule.periods ?? 1,
        comparisonOperator: rule.below
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: missing[rule.silence ?? 'fine'],
      })
      alarm.addAlarmAction(action)
      alarm.addOkAction(action)
    }
  }
}
