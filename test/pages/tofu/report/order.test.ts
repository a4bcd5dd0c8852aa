import { describe, expect, test } from 'vitest'
import { host, modulesPlan, networkSchemas, resourceChange, tofuPlan } from '../builders/documents.ts'
import { viewOf } from '../builders/read-views.ts'
import { renderView } from '../builders/rendered.ts'

const pageOf = (document: unknown, format: 'text' | 'summary'): string =>
  renderView(viewOf(document, { schemas: networkSchemas }), { format, title: 'plan.json', width: 100 })

describe('the report of a plan', () => {
  const many = Array.from({ length: 300 }, (_, n) =>
    resourceChange(['create'], { after: { name: `n-${n}` } }, { name: `new_${n}`, module: 'module.web' }),
  )
  const late = resourceChange(['delete'], { before: host() }, { name: 'gone', module: 'module.db' })
  const page = pageOf(tofuPlan([...many, late]), 'text').split('\n')

  test('counts by action, the most serious first, and by module, before any change', () => {
    expect(page.slice(0, 9)).toEqual([
      'plan.json: 301 changes',
      '',
      '  -      1 to destroy  module.db.net_host.gone',
      '  +    300 to create   module.web.net_host.new_0, module.web.net_host.new_1 and 298 more',
      '',
      'By module',
      '  module.db   - 1',
      '  module.web  + 300',
      '',
    ])
  })

  test('shows what is destroyed before what is created', () => {
    const first = page.findIndex((line) => line.includes('will be'))
    expect(page[first]).toContain('module.db.net_host.gone  will be destroyed')
  })

  test('has a page of one line for each', () => {
    const lines = pageOf(modulesPlan(), 'summary').split('\n')
    expect(lines.filter((line) => /net_host/.test(line))).toHaveLength(5)
    expect(lines[0]).toMatch(/^- {3}module\.old\.net_host\.a +will be destroyed$/)
  })
})
