import { Template } from 'aws-cdk-lib/assertions'
import { expect, it } from 'vitest'
import { metricTable } from '../../functions/metric-names.ts'
import { synthesise } from '../builders/aws/template.ts'

interface Widget {
  readonly properties: { readonly title: string; readonly metrics: readonly (readonly unknown[])[] }
}

const { app, stack } = synthesise({ dashboard: true })
const template = Template.fromStack(stack)

/** References stand in the body as their JSON. */
const bodyOf = (): { readonly widgets: readonly Widget[] } => {
  const [page] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'))
  const parts: readonly unknown[] = page?.['Properties'].DashboardBody['Fn::Join'][1]
  return JSON.parse(
    parts.map((part) => (typeof part === 'string' ? part : Object.values(part as object).join())).join(''),
  )
}
const { widgets } = bodyOf()
const metricsOf = (title: string): readonly unknown[] =>
  widgets.find(({ properties }) => properties.title === title)?.properties.metrics.map((each) => each[1]) ?? []

it('the page shows what an operator asks about, in plain words', () => {
  expect(widgets.map(({ properties }) => properties.title)).toEqual([
    'Checks',
    'Workspaces that are not checked',
    'Applies',
    'Seconds that the oldest alert and the oldest anchor wait',
    'Failures of the functions',
    'Answers of the API with 5xx',
    'Seconds that the oldest message waits',
    'Work that was given up',
  ])
  expect(metricsOf('Checks')).toEqual(['ChecksDone', 'ChecksFailed', 'ChecksHandedOver'])
  expect(metricsOf('Failures of the functions')).toEqual(Array.from({ length: 5 }, () => 'Errors'))
  expect(metricsOf('Work that was given up')).toHaveLength(3)
})

it('its own metrics are those of this deployment, as the functions write them', () => {
  const own = widgets.flatMap(({ properties }) => properties.metrics).filter(([namespace]) => namespace === 'Plumbline')
  expect(own.length).toBeGreaterThan(8)
  for (const [, name, dimension, service, options] of own) {
    expect([dimension, service]).toEqual(['service', 'Plumbline-Plumbline'])
    const { unit } = metricTable[name as keyof typeof metricTable]
    expect([name, (options as { stat?: string }).stat]).toEqual([name, unit === 'Count' ? 'Sum' : 'Maximum'])
  }
})

it('it has an output, no fixed name, and passes the rules of AWS Solutions; without the setting there is none', () => {
  expect(Object.keys(template.findOutputs('*'))).toContain('Dashboard')
  const [page] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'))
  expect(page?.['Properties']).not.toHaveProperty('DashboardName')
  expect(() => app.synth()).not.toThrow()
  Template.fromStack(synthesise().stack).resourceCountIs('AWS::CloudWatch::Dashboard', 0)
})

it('the setting is refused with the place and the value', () => {
  expect(() => synthesise({ dashboard: 'large' })).toThrow('dashboard "large": ')
})
