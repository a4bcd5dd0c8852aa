import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { metricTable } from '../../functions/metric-names.ts'

const functions = join(import.meta.dirname, '../../functions')
const sources = readdirSync(functions, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'metric-names.ts')
  .map((name) => [name, readFileSync(join(functions, name), 'utf8')] as const)

const parts = Object.entries(metricTable).filter(([, { partOf }]) => partOf !== undefined)
const sums = new Set(parts.map(([, { partOf }]) => partOf))

it.each(parts)('%s has its alarm in the metric that counts it too', (_, { alarm, partOf, unit }) => {
  const sum = Object.entries(metricTable).find(([name]) => name === partOf)?.[1]
  expect(alarm).toBe(undefined)
  expect(sum).toMatchObject({ unit, alarm: { silence: 'fine' } })
})

it.each(Object.keys(metricTable).filter((name) => !sums.has(name)))('%s is written by a function', (name) => {
  expect(sources.filter(([, text]) => text.includes(`'${name}'`)).map(([file]) => file)).not.toEqual([])
})

it('metrics are written by one module only', () => {
  const used = sources.filter(([, text]) => /\.addMetric\(|\.singleMetric\(/.test(text)).map(([file]) => file)
  expect(used).toEqual(['middleware/observe.ts'])
})
