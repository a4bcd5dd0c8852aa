import { Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Dashboard as CloudWatchDashboard, GraphWidget, type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { type MetricName, metricNamespace, metricTable } from '../../functions/metric-names.ts'
import { period } from './alarms.ts'

/** What the lines of the page are called, and what they show. */
type ByLabel<Thing> = Readonly<Record<string, Thing>>

export interface DashboardProps {
  readonly service: string
  readonly functions: ByLabel<IFunction>
  readonly queues: ByLabel<IQueue>
  readonly deadLetters: ByLabel<IQueue>
  readonly apis: ByLabel<HttpApi>
}

const half = { width: 12, height: 6 }
const sum = { period, statistic: 'Sum' }
const most = { period, statistic: 'Maximum' }

const linesOf = <Thing>(things: ByLabel<Thing>, metric: (thing: Thing, label: string) => IMetric): IMetric[] =>
  Object.entries(things).map(([label, thing]) => metric(thing, label))

/** One page for the people who operate a deployment. It has no name of its own, so that a second deployment can have one. */
export class Dashboard extends Construct {
  readonly page: CloudWatchDashboard
  private readonly service: string

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id)
    this.service = props.service
    this.page = new CloudWatchDashboard(this, 'Page', {
      widgets: [this.checks(), this.applies(), this.works(props), this.messages(props)],
    })
  }

  private graph(title: string, left: IMetric[]): GraphWidget {
    return new GraphWidget({ ...half, title, left, region: Stack.of(this).region })
  }

  private own(names: ByLabel<MetricName>): IMetric[] {
    return linesOf(names, (metricName, label) => {
      const { statistic } = metricTable[metricName].unit === 'Count' ? sum : most
      const dimensionsMap = { service: this.service }
      return new Metric({ namespace: metricNamespace, metricName, dimensionsMap, statistic, period, label })
    })
  }

  private checks(): GraphWidget[] {
    return [
      this.graph('Checks', this.own({ done: 'ChecksDone', failed: 'ChecksFailed', continued: 'ChecksHandedOver' })),
      this.graph(
        'Workspaces that are not checked',
        this.own({ overdue: 'WorkspacesOverdue', 'in quarantine': 'Quarantined', 'due and not queued': 'TickBlocked' }),
      ),
    ]
  }

  private applies(): GraphWidget[] {
    return [
      this.graph(
        'Applies',
        this.own({
          done: 'AppliesDone',
          'refused, because something changed': 'AppliesRefused',
          unfinished: 'AppliesUnfinished',
        }),
      ),
      this.graph(
        'Seconds that the oldest alert and the oldest anchor wait',
        this.own({ alert: 'OldestWaitingAlertSeconds', anchor: 'OldestWaitingAnchorSeconds' }),
      ),
    ]
  }

  private works({ functions, apis }: DashboardProps): GraphWidget[] {
    return [
      this.graph(
        'Failures of the functions',
        linesOf(functions, (its, label) => its.metricErrors({ period, label })),
      ),
      this.graph(
        'Answers of the API with 5xx',
        linesOf(apis, (its, label) => its.metricServerError({ ...sum, label })),
      ),
    ]
  }

  private messages({ queues, deadLetters }: DashboardProps): GraphWidget[] {
    return [
      this.graph(
        'Seconds that the oldest message waits',
        linesOf(queues, (its, label) => its.metricApproximateAgeOfOldestMessage({ ...most, label })),
      ),
      this.graph(
        'Work that was given up',
        linesOf(deadLetters, (its, label) => its.metricApproximateNumberOfMessagesVisible({ ...most, label })),
      ),
    ]
  }
}
