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
  /** The least number that is wrong, or with `below` the least that is right. */
  readonly from: number
  readonly below?: boolean
  /** In a row; one when absent. */
  readonly periods?: number
  /**
   * What no number at all means. `fine`: it is written only when there is something to count. `wrong`: it is written
   * whatever happens. `same`: CloudWatch stops to ask a queue that nobody touches, whatever is in it.
   */
  readonly silence: 'fine' | 'wrong' | 'same'
}

const missing: Readonly<Record<Rule['silence'], TreatMissingData>> = {
  fine: TreatMissingData.NOT_BREACHING,
  wrong: TreatMissingData.BREACHING,
  same: TreatMissingData.IGNORE,
}

/** On the numbers that the functions write themselves, under the name of this deployment. */
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
  /** Of operations, not of what is found. */
  readonly topic: ITopic
  /** Under which the functions write their metrics. */
  readonly service: string
  /** On what AWS counts. */
  readonly rules: readonly Rule[]
}

/** A detector that has stopped looks like one that finds nothing; these tell the two apart, and say when it is over. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { topic, service, rules }: AlarmsProps) {
    super(scope, id)
    const action = new SnsAction(topic)
    for (const rule of [...rules, ...ownRules(service)]) {
      const alarm = new Alarm(this, rule.id, {
        alarmDescription: rule.means,
        metric: rule.metric,
        threshold: rule.from,
        evaluationPeriods: rule.periods ?? 1,
        comparisonOperator: rule.below
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: missing[rule.silence],
      })
      alarm.addAlarmAction(action)
      alarm.addOkAction(action)
    }
  }
}
