import { afterEach, describe, expect, test, vi } from 'vitest'
import { compare } from '../../../core/diff/compare.ts'
import { align } from '../../../core/diff/matching/align.ts'
import { commonPlaces } from '../../../core/diff/matching/common-places.ts'
import type { Attribute } from '../../../core/schema/attribute.ts'
import type { JsonObject } from '../../../core/schema/json.ts'
import { readTofuDocument } from '../../../core/tofu/read/load-document.ts'
import type { Value, ValueMap } from '../../../core/tofu/read/value.ts'
import { readRelevance } from '../../../core/tofu/view/relevance.ts'
import { host, modulesPlan, networkSchemas, resourceChange, tofuPlan } from '../builders/documents.ts'
import { planReview, reviewOf } from '../builders/read-views.ts'
import { renderReview } from '../builders/rendered.ts'

/* What is about the page as a whole and about cost, by the numbers of the list; the others are in review.test.ts. */

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const pageOf = (document: unknown, format: 'text' | 'summary'): string =>
  renderReview(reviewOf(document, { schemas: networkSchemas }), { format, title: 'plan.json', width: 100 })

describe('w16 what a reviewer needs comes first', () => {
  const many = Array.from({ length: 300 }, (_, n) =>
    resourceChange(['create'], { after: { name: `n-${n}` } }, { name: `new_${n}`, module: 'module.web' }),
  )
  const late = resourceChange(['delete'], { before: host() }, { name: 'gone', module: 'module.db' })
  const page = pageOf(tofuPlan([...many, late]), 'text').split('\n')

  test('counts by action, the gravest first, and by module, before any change', () => {
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

  test('what is destroyed stands before what is created', () => {
    const first = page.findIndex((line) => line.includes('will be'))
    expect(page[first]).toContain('module.db.net_host.gone  will be destroyed')
  })

  test('and there is a page of one line for each', () => {
    const lines = pageOf(modulesPlan(), 'summary').split('\n')
    expect(lines.filter((line) => /net_host/.test(line))).toHaveLength(5)
    expect(lines[0]).toMatch(/^- {3}module\.old\.net_host\.a +will be destroyed$/)
  })
})

/** Objects that count how often one of them is looked into. */
const counted = (n: number, more: (place: number) => JsonObject) => {
  let looks = 0
  const elements = Array.from({ length: n }, (_, place) => {
    const element: Record<string, unknown> = { ...more(place) }
    Object.defineProperty(element, 'name', {
      enumerable: true,
      get: () => {
        looks += 1
        return `name-${place}`
      },
    })
    return element as JsonObject
  })
  return { elements, looks: () => looks }
}

const looksOf = (type: 'list' | 'set', n: number): number => {
  const v: Attribute = {
    type,
    element: { type: 'object', attributes: { name: { type: 'string' }, v: { type: 'any' } } },
  }
  const before = counted(n, (place) => ({ v: place }))
  const after = counted(n, (place) => ({ v: place % 100 === 7 ? -place : place }))
  const order = type === 'set' ? after.elements.toReversed() : after.elements
  const diff = compare({ attributes: { v } }, { v: before.elements }, { v: order })
  expect(diff.action).toBe('update')
  return before.looks() + after.looks()
}

describe('w26 lists cost what is in them, and not its square', () => {
  test('objects of a list are looked into a few times each', () => {
    const [one, two] = [looksOf('list', 1_000), looksOf('list', 2_000)]
    expect(one / 2_000).toBeLessThan(20)
    expect(two / one).toBeLessThan(2.2)
  })

  test('of 10,000 lines with 100 edits only those near an edit are compared with each other', () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `line ${n}`)
    const edited = lines.map((line, n) => (n % 100 === 50 ? `${line} edited` : line))
    let asked = 0
    const likeness = () => {
      asked += 1
      return 1
    }
    expect(align(lines, edited, { likeness }).filter(({ before, after }) => before !== after)).toEqual([])
    expect(asked).toBe(100)
  })

  test('space grows with the lists, not with their product', () => {
    let bytes = 0
    const plain = Int32Array
    class Counted extends plain {
      constructor(...given: readonly unknown[]) {
        super(...(given as [number]))
        if (given.length === 1) bytes += this.byteLength
      }
    }
    vi.stubGlobal('Int32Array', Counted)
    const bytesFor = (n: number): number => {
      bytes = 0
      const left = Array.from({ length: n }, (_, place) => `${(place * 7) % 97}`)
      const right = Array.from({ length: n }, (_, place) => `${(place * 11) % 97}`)
      commonPlaces(left, right)
      return bytes
    }
    const [one, two] = [bytesFor(5_000), bytesFor(10_000)]
    expect(one).toBeGreaterThan(5_000)
    expect(one).toBeLessThan(100 * 5_000)
    expect(two / one).toBeLessThan(2.2)
  })
})

test('w27 elements of a set are found by what they are, not by trying each with each', () => {
  const [one, two] = [looksOf('set', 1_000), looksOf('set', 2_000)]
  expect(one / 2_000).toBeLessThan(50)
  expect(two / one).toBeLessThan(2.5)
})

describe('w28 w29 w31 what is not shown is not read', () => {
  const still = Array.from({ length: 50 }, (_, n) =>
    resourceChange(['no-op'], { before: host(), after: host() }, { name: `still_${n}` }),
  )
  const changed = resourceChange(['update'], { before: host(), after: host({ size: 4 }) })
  const plan = tofuPlan([...still, changed], {
    planned_values: { root_module: { resources: [{ values: { size: 1e9 } }] } },
    prior_state: { format_version: '1.0', values: { root_module: {} } },
    variables: { a: { value: 1 } },
  })
  const bytes = Buffer.from(JSON.stringify(plan))

  test('w28 what does not change is only counted', () => {
    const document = readTofuDocument({ name: 'plan.json', bytes })
    expect([document.changes.length, document.unchanged]).toEqual([1, 50])
  })

  test('w29 parts that no page needs are passed over', () => {
    const { members } = readTofuDocument({ name: 'plan.json', bytes })
    expect([...members.keys()]).not.toEqual(expect.arrayContaining(['planned_values']))
    expect(members.has('variables')).toBe(false)
  })

  test('w31 the document is not turned into something else first: numbers and texts are read where they stand', () => {
    const parse = vi.spyOn(JSON, 'parse')
    const review = planReview(bytes.toString(), { schemas: networkSchemas })
    expect(review.changes).toHaveLength(1)
    expect(parse.mock.calls.filter(([text]) => text.length > 100)).toEqual([])
  })
})

test('w30 what is relevant is read once, however many objects drifted', () => {
  let reads = 0
  class Entry extends Map<string, Value> {
    override get(name: string): Value | undefined {
      reads += 1
      return super.get(name)
    }
  }
  const told = Array.from(
    { length: 200 },
    (_, n) =>
      new Entry([
        ['resource', `net_host.n${n}`],
        ['attribute', ['size']],
      ] as [string, Value][]),
  )
  const isRelevant = readRelevance(new Map<string, Value>([['relevant_attributes', told]]) as ValueMap)
  const once = reads
  expect(once).toBeGreaterThan(0)
  const found = Array.from({ length: 500 }, (_, n) => isRelevant(`net_host.n${n}`, { size: 1 }, { size: 2 }))
  expect(found.filter(Boolean)).toHaveLength(200)
  expect(reads).toBe(once)
})
