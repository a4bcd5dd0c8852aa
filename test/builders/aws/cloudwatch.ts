import { vi } from 'vitest'

/** One number in CloudWatch's embedded metric format, as a function writes it to its log. */
export interface Datum {
  readonly namespace: string
  readonly name: string
  readonly service: string
  readonly value: number
}

interface Emf {
  readonly _aws?: { readonly CloudWatchMetrics: readonly { Namespace: string; Metrics: readonly { Name: string }[] }[] }
  readonly service?: string
  readonly [name: string]: unknown
}

const dataIn = (line: string): readonly Datum[] => {
  const { _aws, service = '', ...values } = JSON.parse(line) as Emf
  return (_aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Metrics }) =>
    Metrics.flatMap(({ Name }) =>
      [values[Name]].flat().map((value) => ({ namespace: Namespace, name: Name, service, value: Number(value) })),
    ),
  )
}

/** What functions write to their log from now on: the numbers, and the entries. */
export const readLog = () => {
  const data: Datum[] = []
  const entries: Record<string, unknown>[] = []
  const take = (chunk: unknown): boolean => {
    for (const line of String(chunk).split('\n')) {
      if (!line.startsWith('{')) continue
      const found = dataIn(line)
      data.push(...found)
      if (found.length === 0) entries.push(JSON.parse(line) as Record<string, unknown>)
    }
    return true
  }
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(take))
  return {
    entries,
    /** The numbers since it was last asked. */
    taken: (): readonly Datum[] => data.splice(0),
    stop: () => {
      for (const spy of spies) spy.mockRestore()
    },
  }
}

/** An alarm of a template, as far as it is looked at here. */
export interface AlarmProperties {
  readonly Namespace: string
  readonly MetricName: string
  readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[]
  readonly Statistic: 'Sum' | 'Maximum'
  readonly Threshold: number
  readonly EvaluationPeriods: number
  readonly TreatMissingData: 'breaching' | 'notBreaching' | 'ignore'
  readonly ComparisonOperator: string
}

/**
 * Whether an alarm rings after these periods, each with the numbers that were written in it: the latest `EvaluationPeriods`
 * of them must all be wrong. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 */
export const rings = (alarm: AlarmProperties, periods: readonly (readonly Datum[])[]): boolean => {
  const { Namespace, MetricName, Dimensions, Statistic, Threshold, EvaluationPeriods, TreatMissingData } = alarm
  const isWrong = (data: readonly Datum[]): boolean => {
    const values = data
      .filter(({ namespace, name }) => namespace === Namespace && name === MetricName)
      .filter(({ service }) => Dimensions.every(({ Name, Value }) => Name === 'service' && Value === service))
      .map(({ value }) => value)
    if (values.length === 0) return TreatMissingData === 'breaching'
    const all = Statistic === 'Sum' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
    return all >= Threshold
  }
  return periods.length >= EvaluationPeriods && periods.slice(-EvaluationPeriods).every(isWrong)
}
