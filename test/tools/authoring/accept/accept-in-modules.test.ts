import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { boxes, changedLines, head } from '../../../builders/workspaces/boxes-workspace.ts'

const shelf = `parameters:
  owner: { type: string, default: a } # who
  ttl: { type: number, default: 60 }
  label: { type: string }
resources:
  - type: box_item
    name: main
    spec:
      name: "\${var.label}"
      owner: "\${var.owner}"
      ttl: "\${var.ttl}"
      note: "of \${var.label}"
      size: small # for all
outputs:
  ttl: { value: "\${resource.box_item.main.ttl}" }
`

const calls = `modules:
  - name: prod
    source: ./shelf
    forEach: { eu: { ttl: 60 }, us: { ttl: 60 } } # regions
    with:
      label: "\${each.key}"
      ttl: "\${each.value.ttl}"
  - { name: test, source: ./shelf, with: { label: test, ttl: 30 } } # only here
`

const item = (name: string, more: Record<string, Json> = {}) => ({
  owner: 'a',
  ttl: 60,
  note: `of ${name}`,
  size: 'small',
  ...more,
})
const live = { eu: item('eu'), us: item('us'), test: item('test', { ttl: 30 }) }
const world = (text = calls) => boxes(text, live, { files: { 'shelf/module.yaml': shelf } })

describe('an accepted value of a module', () => {
  it.each([
    [
      'from a `with` that only this instance uses',
      'test',
      { ttl: 90 },
      'module.test.box_item.main',
      [
        '-  - { name: test, source: ./shelf, with: { label: test, ttl: 30 } } # only here',
        '+  - { name: test, source: ./shelf, with: { label: test, ttl: 90 } } # only here',
      ],
    ],
    [
      'from the value of its forEach',
      'eu',
      { ttl: 90 },
      'module.prod["eu"].box_item.main',
      [
        '-    forEach: { eu: { ttl: 60 }, us: { ttl: 60 } } # regions',
        '+    forEach: { eu: { ttl: 90 }, us: { ttl: 60 } } # regions',
      ],
    ],
  ])('is changed where it was given: %s', async (_, name, change, address, lines) => {
    const own = await world()
    expect((await own.check()).run.status).toBe('in_sync')
    own.change(name, change)
    const accepted = await own.accept(address)
    expect(accepted.report.refused).toEqual([])
    expect(changedLines(accepted)).toEqual(lines)
    expect(accepted.changed.map(({ file }) => file)).toEqual(['plumbline.yaml'])
    own.configure(accepted.changed[0]?.after ?? '')
    expect((await own.check()).run.status).toBe('in_sync')
  })

  it.each([
    [
      'in the file of the module',
      'eu',
      { size: 'big' },
      'module.prod["eu"].box_item.main',
      ['module.prod["us"].box_item.main size', 'module.test.box_item.main size'],
    ],
    [
      'from a default of the module',
      'test',
      { owner: 'z' },
      'module.test.box_item.main',
      ['module.prod["eu"].box_item.main owner', 'module.prod["us"].box_item.main owner'],
    ],
  ])('%s is refused with the instances that share it', async (_, name, change, address, elsewhere) => {
    const own = await world()
    own.change(name, change)
    const { report, changed } = await own.accept(address)
    expect(changed).toEqual([])
    expect(report.refused).toMatchObject([{ address, reason: 'elsewhere', elsewhere }])
  })

  it('is changed in the module where all instances have it now', async () => {
    const own = await world()
    for (const name of Object.keys(live)) own.change(name, { owner: 'z', size: 'big' })
    const accepted = await own.accept()
    expect(accepted.report.refused).toEqual([])
    expect(accepted.changed.map(({ file }) => file)).toEqual(['shelf/module.yaml'])
    expect(changedLines(accepted)).toEqual([
      '-  owner: { type: string, default: a } # who',
      '+  owner: { type: string, default: z } # who',
      '-      size: small # for all',
      '+      size: big # for all',
    ])
  })

  it('is refused where it is the key of its instance', async () => {
    const own = await world()
    own.change('eu', { note: 'about something else' })
    const { report } = await own.accept('module.prod["eu"].box_item.main')
    expect(report.refused).toMatchObject([{ path: 'note', reason: 'reference' }])
  })

  it('is written to the attribute that an output names', async () => {
    const text = `${calls}resources:\n  - { type: box_item, name: copy, spec: { name: copy, owner: a, ttl: "\${module.test.ttl}" } }\n`
    const own = await boxes(text, { ...live, copy: { owner: 'a', ttl: 30 } }, { files: { 'shelf/module.yaml': shelf } })
    own.change('copy', { ttl: 31 })
    const alone = await own.accept('box_item.copy')
    expect(alone.report.refused).toMatchObject([{ elsewhere: ['module.test.box_item.main ttl'] }])
    own.change('test', { ttl: 31 })
    const both = await own.accept()
    expect(both.report.refused).toEqual([])
    expect(changedLines(both)[1]).toContain('ttl: 31')
  })
})

describe('an accepted value of an instance', () => {
  const text = `variables:
  sizes: { type: map, default: { x: { ttl: 1 }, z: { ttl: 2 } } }
resources:
  - type: box_item
    name: each
    forEach: "\${var.sizes}"
    spec: { name: "\${each.key}", owner: a, ttl: "\${each.value.ttl}" }
`
  const both = { x: { owner: 'a', ttl: 1 }, z: { owner: 'a', ttl: 2 } }

  it('is changed in the variable that its forEach names', async () => {
    const own = await boxes(text, both)
    own.change('x', { ttl: 5 })
    const accepted = await own.accept('box_item.each["x"]')
    expect(accepted.report.accepted).toMatchObject([{ via: expect.stringContaining('each') }])
    expect(changedLines(accepted)[1]).toBe('+  sizes: { type: map, default: { x: { ttl: 5 }, z: { ttl: 2 } } }')
  })

  it('is refused where all instances share the text', async () => {
    const own = await boxes(text, both)
    own.change('x', { owner: 'q' })
    const { report } = await own.accept('box_item.each["x"]')
    expect(report.refused).toMatchObject([{ reason: 'elsewhere', elsewhere: ['box_item.each["z"] owner'] }])
  })
})

it('a resource of an included file is changed in that file', async () => {
  const more = '# more\nresources:\n  - { type: box_item, name: one, spec: { name: one, owner: a, ttl: 60 } } # one\n'
  const own = await boxes(
    '',
    { one: { owner: 'a', ttl: 60 } },
    { text: `${head}include: [more.yaml]\n`, files: { 'more.yaml': more } },
  )
  expect((await own.check()).run.status).toBe('in_sync')
  own.change('one', { ttl: 90 })
  const accepted = await own.accept()
  expect(accepted.changed).toEqual([{ file: 'more.yaml', before: more, after: more.replace('60', '90') }])
  expect(accepted.report.accepted[0]?.position).toMatchObject({ file: 'more.yaml', line: 3 })
})
