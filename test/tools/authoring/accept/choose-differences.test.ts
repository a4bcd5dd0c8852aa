import { describe, expect, it } from 'vitest'
import { acceptDrift } from '../../../../core/tools/authoring/accept/accept-drift.ts'
import { boxes, changedLines, head } from '../../../builders/workspaces/boxes-workspace.ts'

const two = `resources:
  - { type: box_item, name: one, spec: { name: one, owner: a, ttl: 60, note: x } }
  - { type: box_item, name: two, spec: { name: two, owner: a, ttl: 60 } }
`
const live = { one: { owner: 'a', ttl: 60, note: 'x' }, two: { owner: 'a', ttl: 60 } }

describe('the choice of accepted differences', () => {
  it('includes without a path what somebody changed outside, and nothing else', async () => {
    const world = await boxes(two, live)
    world.change('one', { ttl: 90 })
    world.configure((head + two).replace('note: x', 'note: z'))
    const { report } = await world.accept('box_item.one')
    expect(report.accepted).toMatchObject([{ address: 'box_item.one', path: 'ttl' }])
    expect(report.left).toEqual([{ address: 'box_item.one', path: 'note' }])
  })

  it('includes with a path what differs there, whoever changed it', async () => {
    const world = await boxes(two, live)
    world.change('one', { ttl: 90 })
    world.configure((head + two).replace('note: x', 'note: z'))
    const accepted = await world.accept('box_item.one', 'note')
    expect(accepted.report.left).toEqual([])
    expect(changedLines(accepted).map((line) => /note: [^ ]+/.exec(line)?.[0])).toEqual(['note: z', 'note: x'])
  })

  it('includes an element by its key, and nothing else of the set', async () => {
    const rows = [
      { id: 'a', value: '1' },
      { id: 'b', value: '1' },
    ]
    const text = `resources:
  - type: box_item
    name: one
    spec:
      name: one
      owner: a
      rows:
        - { id: b, value: "1" }
        - { id: a, value: "1" }
`
    const world = await boxes(text, { one: { owner: 'a', rows } })
    world.change('one', { rows: [{ id: 'a', value: '2' }, { id: 'b', value: '2' }, { id: 'c' }] })
    const accepted = await world.accept('box_item.one', 'rows.a')
    expect(changedLines(accepted)).toEqual(['-        - { id: a, value: "1" }', '+        - { id: a, value: "2" }'])
    expect(changedLines(await world.accept('box_item.one', 'rows.c'))).toEqual(['+        - { id: c }'])
    expect((await world.accept('box_item.one', 'rows')).report.accepted.map(({ path }) => path)).toEqual([
      'rows.a.value',
      'rows.b.value',
      'rows.c',
    ])
  })

  it('includes of all resources those that can be accepted, in spite of others', async () => {
    const text = `variables: { t: { type: number, default: 60 } }
resources:
${['one', 'two', 'three', 'four', 'five'].map((name) => `  - { type: box_item, name: ${name}, spec: { name: ${name}, owner: a, ttl: ${name === 'two' || name === 'five' ? '"${var.t}"' : '60'} } }`).join('\n')}
`
    const item = { owner: 'a', ttl: 60 }
    const world = await boxes(text, { one: item, two: item, three: item, four: item, five: item })
    for (const name of ['one', 'two', 'three']) world.change(name, { ttl: 90 })
    world.change('four', undefined)
    const { report, changed } = await world.accept()
    expect(report.accepted.map(({ address }) => address)).toEqual(['box_item.one', 'box_item.three'])
    expect(report.refused).toMatchObject([
      { address: 'box_item.four', reason: 'deleted' },
      { address: 'box_item.two', path: 'ttl', reason: 'elsewhere', elsewhere: ['box_item.five ttl'] },
    ])
    expect(changed).toHaveLength(1)
    world.change('five', { ttl: 90 })
    const all = await world.accept()
    expect(all.report.refused).toMatchObject([{ address: 'box_item.four' }])
    expect(all.report.accepted).toHaveLength(4)
    expect(all.changed[0]?.after).toContain('default: 90')
  })

  it('includes neither of two resources that share a variable and now differ', async () => {
    const text = `variables: { t: { type: number, default: 60 } }
resources:
  - { type: box_item, name: one, spec: { name: one, owner: a, ttl: "\${var.t}" } }
  - { type: box_item, name: two, spec: { name: two, owner: a, ttl: "\${var.t}" } }
`
    const world = await boxes(text, live)
    world.change('one', { ttl: 90 })
    world.change('two', { ttl: 91 })
    const { report, changed } = await world.accept()
    expect(changed).toEqual([])
    expect(report.refused.map(({ address, reason }) => [address, reason])).toEqual([
      ['box_item.one', 'elsewhere'],
      ['box_item.two', 'elsewhere'],
    ])
  })
})

describe('a refused choice', () => {
  it.each<readonly [string, string, (world: Awaited<ReturnType<typeof boxes>>) => void, string]>([
    ['not checked', 'box_item.one', (world) => world.hide('one'), 'unchecked'],
    ['deleted outside', 'box_item.one', (world) => world.change('one', undefined), 'deleted'],
    [
      'not declared any more',
      'box_item.two',
      ({ configure }) => configure((head + two).replace(/ {2}- .*two.*\n/, '')),
      'undeclared',
    ],
    [
      'declared absent',
      'box_item.two',
      ({ configure }) =>
        configure(
          (head + two).replace(
            'name: two, spec: { name: two, owner: a, ttl: 60 }',
            'name: two, absent: true, spec: { name: two }',
          ),
        ),
      'absent',
    ],
    [
      'not created yet',
      'box_item.new',
      ({ configure }) => configure(`${head}${two}  - { type: box_item, name: new, spec: { name: new, owner: a } }\n`),
      'deleted',
    ],
  ])('says why nothing is written: a resource that is %s', async (_, address, happens, reason) => {
    const world = await boxes(two, live)
    happens(world)
    const { report, changed } = await world.accept(address)
    expect(report.refused).toMatchObject([{ address, reason }])
    expect([report.accepted, changed]).toEqual([[], []])
  })

  it.each([
    [['box_item.oen'], /no resource box_item\.oen; did you mean "box_item\.one"/],
    [['box_item.one', 'owner'], /no difference at owner; it differs at ttl/],
    [['box_item.two', 'ttl'], /box_item\.two has no difference/],
  ])('is refused as a request without a meaning: %j', async ([address, ...paths], message) => {
    const world = await boxes(two, live)
    world.change('one', { ttl: 90 })
    await expect(world.accept(address, ...paths)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(message),
    })
  })

  it('is refused for files that are not on this machine', async () => {
    const world = await boxes(two, live)
    const { folder: _, ...bundle } = await world.deps.config.load('boxes')
    const deps = { ...world.deps, config: { load: async () => bundle } }
    await expect(acceptDrift({ workspace: 'boxes', paths: [] }, deps)).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('is refused for a variable that was given from outside', async () => {
    const text = two.replace('ttl: 60, note', 'ttl: "${var.t}", note')
    const world = await boxes(`variables: { t: { type: number, default: 1 } }\n${text}`, live, { variables: { t: 60 } })
    world.change('one', { ttl: 90 })
    const { report } = await world.accept('box_item.one')
    expect(report.refused).toMatchObject([
      { reason: 'reference', detail: expect.stringContaining('given for variable t') },
    ])
  })
})

describe('changed files', () => {
  const configured = {
    workspace: 'boxes',
    providers: { box: { source: 'rest', definition: './box.provider.yaml' } },
    resources: [{ type: 'box_item', name: 'one', spec: { name: 'one', owner: 'a', ttl: 60, hosts: ['x'] } }],
  }
  const item = { owner: 'a', ttl: 60, hosts: ['x'] }

  it.each([
    ['plumbline.json', JSON.stringify(configured, null, '\t')],
    [
      'plumbline.jsonc',
      `// top\n${JSON.stringify(configured, null, 2).replace('"ttl": 60,', '"ttl": 60, // seconds')}\n`,
    ],
    ['plumbline.json', JSON.stringify(configured)],
    ['plumbline.yaml', `\uFEFF${JSON.stringify(configured, null, 2)}`],
  ])('keep their form: %s', async (entry, text) => {
    const world = await boxes('', { one: item }, { entry, text })
    world.change('one', { ttl: 90, hosts: ['x', 'y'] })
    const { report, changed } = await world.accept()
    expect(report.refused).toEqual([])
    const after = changed[0]?.after ?? ''
    world.configure(after)
    expect((await world.check()).run.status).toBe('in_sync')
    const kept = after.split('\n').filter((line) => text.split('\n').includes(line))
    expect(kept.length).toBeGreaterThanOrEqual(text.split('\n').length - 2)
  })

  it('keep their CRLF line ends', async () => {
    const text = (head + two).replaceAll('\n', '\r\n')
    const world = await boxes('', live, { text })
    world.change('one', { ttl: 90 })
    const { changed } = await world.accept()
    expect(changed[0]?.after).toBe(text.replace('ttl: 60, note', 'ttl: 90, note'))
  })
})
