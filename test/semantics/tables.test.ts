import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { semanticsPage } from './page.ts'
import { testName } from './table.ts'
import { tables } from './tables.ts'

const here = import.meta.dirname
const proving = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && name !== 'tables.test.ts')
  .map((name) => name.replace(/\.test\.ts$/, '').replaceAll('\\', '/'))

describe('the tables of rules', () => {
  it('have one file of tests each, and no test is beside them', () =>
    expect(proving.toSorted()).toEqual(Object.keys(tables).toSorted()))

  it.each(Object.entries(tables))('%s is proven by the tests beside it', (file, { rows }) => {
    const text = readFileSync(join(here, `${file}.test.ts`), 'utf8')
    const name = file.split('/').at(-1)
    expect(text).toContain(`prove(${name}, {`)
    expect(text).toContain(`from './${name}.ts'`)
    expect(Object.keys(rows).length).toBeGreaterThan(0)
  })

  it('have ids and names of their own, and every rule is on the page', () => {
    const all = Object.values(tables)
    const names = all.flatMap((table) => Object.entries(table.rows).map(([name, row]) => testName(table, name, row)))
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const lines = semanticsPage()
      .split('\n')
      .filter((line) => /\| (taken over|repaired|refused) \|$/.test(line))
    expect(lines).toHaveLength(names.length)
  })
})
