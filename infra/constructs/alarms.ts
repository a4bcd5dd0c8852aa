import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { alarmedMetrics, metricNamespace, metricTable } from '../../functions/metric-names.ts'

/** Of every alarm: long enough for a metric that is written each five minutes. */
export const period = Duration.minutes(5)

/** One alarm. docs/operations.md says for each what to do. */
export interface Rule {
  readonly id: string
  readonly means: string
  readonly metric: IMetric
  /** The least number that is wrong, or with `below` the least that is right; 1 when absent. */
  readonly from?: number
  readonly below?: boolean
  /** In a row; one when absent. */
  readonly periods?: number
  /**
   * What a missing number means. `fine`, when absent: the metric is written only when there is something to count. `wrong`: it
   * is written whatever happens. `same`: CloudWatch stops asking a queue that is not used, whatever is in it.
   */
  readonly silence?: 'fine' | 'wrong' | 'same'
}

const missing: Readonly<Record<NonNullable<Rule['silence']>, TreatMissingData>> = {
  fine: TreatMissingData.NOT_BREACHING,
  wrong: TreatMissingData.BREACHING,
  same: TreatMissingData.IGNORE,
}

/** On the metrics that the functions write, under the name of this deployment. */
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
  /** The topic of operations, not that of alerts. */
  readonly topic: ITopic
  /** The dimension of the functions' metrics. */
  readonly service: string
  /** On the metrics of AWS. */
  readonly rules: readonly Rule[]
}

/** A detector that has stopped looks like one that finds nothing: the alarms tell the two apart, and also report the end. */
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
