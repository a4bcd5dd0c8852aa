import { expect, it } from 'vitest'
import { eachOf } from '../builders/long.ts'
import { aModel, type Model } from './model.ts'
import { playSequence } from './play.ts'
import { type Step, step } from './steps.ts'

/* What once destroyed the objects of others, or left ours behind in silence. Each must end as declared, or say what it cannot tell. */

interface Story {
  readonly name: string
  readonly model: Partial<Model>
  readonly steps: readonly Step[]
}

const three = [step('declare', 0, 0), step('declare', 0, 1), step('declare', 0, 2), step('apply')]
const below = [step('declare zone', 0, 0), step('declare', 0, 0), step('apply'), step('apply')]
const dies = (when: 'before' | 'after', n: number): Step =>
  step('apply', 0, 0, 0, { kind: 'crash', at: 'send', n, when, next: 'nothing' })
/** All reads fail from the nth on. */
const unread = (from: number): Step => ({ ...step('apply'), blind: { how: 'error', from, which: 3 } })
/** Another user asks, and one of three things is hidden from that one. */
const asOther = (which: number): Step => ({ ...step('apply'), blind: { how: 'caller', from: 0, which } })
const impostor = step('impostor outside')
const named: Partial<Model> = { parents: 'path', byName: true }

const stories: readonly Story[] = [
  {
    name: 'a zone that cannot be renamed: a new item was sent to the zone that has the name',
    model: { ids: 'none', lookup: 'retrieve', parents: 'path', renames: false },
    steps: [...below, step('undeclare', 1), step('rename', 0, 3), step('declare', 1)],
  },
  {
    name: 'an address changes: the object was destroyed as the old one',
    model: {},
    steps: [...three, step('relabel')],
  },
  {
    name: 'the same where the keys are all there is',
    model: { ids: 'none', lookup: 'keys' },
    steps: [...three, step('relabel')],
  },
  {
    name: 'a position is used again by another object, after our own delete',
    model: { ids: 'position', renames: false },
    steps: [...three, step('undeclare')],
  },
  {
    name: 'a position is used again by another object, after a delete outside',
    model: { ids: 'position', renames: false },
    steps: [...three, step('undeclare'), step('delete outside')],
  },
  {
    name: 'two objects that are known by their positions leave',
    model: { ids: 'position', renames: false },
    steps: [...three, step('undeclare'), step('undeclare')],
  },
  {
    name: 'two elements go that are addressed by their positions: the second delete met a declared one',
    model: { marks: true },
    steps: [step('declare', 0, 0), step('apply'), step('edit', 0, 0, 3)],
  },
  {
    name: 'an id is used again by a zone of others, which would have been renamed',
    model: { ids: 'reused', ...named },
    steps: [...below, step('impostor outside', 0, 1)],
  },
  {
    name: 'a recorded reference that no search finds: the object was left behind in silence',
    model: { ...named, emit: 'code' },
    steps: [...below, step('undeclare', 1)],
  },
  {
    name: 'a zone of others is named like a recorded reference: its item was destroyed',
    model: { ...named, ids: 'text' },
    steps: [...below, step('undeclare', 1), step('impostor outside')],
  },
  {
    name: 'the same after the zone is gone',
    model: { ...named, ids: 'counted' },
    steps: [...below, step('undeclare', 1), step('undeclare'), step('impostor outside', 0, 1)],
  },
  {
    name: 'a zone leaves with its item, known by its position: the one of the same name elsewhere was destroyed',
    model: { ids: 'position', unique: false, parents: 'field' },
    steps: [step('declare zone', 0, 0), step('declare', 0, 0), step('apply'), step('undeclare'), impostor],
  },
  ...(['position', 'none', 'reused'] as const).map((ids) => ({
    name: `ids ${ids}: ours is gone, and somebody has the name in another zone`,
    model: { ids, parents: 'field' as const },
    steps: [
      ...[step('declare zone', 0, 0), step('declare', 0, 0), step('apply'), step('create outside', 0, 1)],
      ...[step('delete outside', 1), step('create outside', 1, 0, 1), step('undeclare', 1)],
    ],
  })),
  {
    name: 'two had the name of what left, and one of them is gone',
    model: { ids: 'position', unique: false },
    steps: [
      ...[step('declare', 0, 0), step('apply'), step('create outside', 0, 0)],
      ...[step('undeclare'), step('check'), step('delete outside')],
    ],
  },
  {
    name: 'a worker dies after its create, and the resource leaves: its object was left behind in silence',
    model: {},
    steps: [step('declare', 0, 0), dies('after', 1), step('undeclare')],
  },
  {
    name: 'the same, and it is called otherwise',
    model: {},
    steps: [step('declare', 0, 0), dies('after', 1), step('rename', 0, 2)],
  },
  {
    name: 'the same below a zone of the same plan',
    model: { parents: 'path' },
    steps: [step('declare zone', 0, 0), step('declare', 0, 0), dies('after', 2), step('undeclare', 1)],
  },
  {
    name: 'the same in a replacement',
    model: {},
    steps: [...three, step('lifecycle', 0, 2), step('edit', 0, 1, 2), dies('after', 2), step('undeclare')],
  },
  ...[step('undeclare'), step('forbid'), step('rename', 0, 3), step('relabel'), step('check')].map((next) => ({
    name: `a worker dies between the create of a successor and the delete of the old one; then ${next.do}`,
    model: { createFirst: true, renames: false },
    steps: [
      ...[step('declare', 0, 0), step('apply'), step('lifecycle', 0, 2)],
      step('rename', 0, 2),
      dies('after', 1),
      next,
    ],
  })),
  ...[step('undeclare', 1), step('forbid', 1)].map((next) => ({
    name: `a zone of others got the id of ours, and has an item with the same id and name; ours shall go (${next.do})`,
    model: { ids: 'reused', unique: false, renames: false, parents: 'path' } as const,
    steps: [
      ...[step('declare zone', 0, 0), step('declare', 0, 0), step('apply'), step('impostor outside', 0, 1)],
      ...[next, step('undeclare'), step('check')],
    ],
  })),
  {
    name: 'a name that a zone does not get, because it is fixed, leads to no zone: an item was made in the one that has another name',
    model: { renames: false, unique: false, ...named },
    steps: [
      ...[step('declare zone', 0, 0), step('declare zone', 0, 1), step('declare', 0, 0, 1), step('undeclare', 1)],
      ...[step('apply'), step('rename', 0, 1)],
    ],
  },
  ...(['path', 'key'] as const).flatMap((parents) =>
    (['keys', 'list'] as const).map((lookup) => ({
      name: `the name of a zone changes its case, and another workspace lets go of its item: it destroyed that one (${parents}, ${lookup})`,
      model: { ids: 'none' as const, casing: true, byName: true, parents, lookup },
      steps: [...below, step('rename outside', 0, 2), step('another workspace')],
    })),
  ),
  {
    name: 'what has no id is renamed outside to what is not applied yet, and another workspace lets go of that: nobody can know whose it is',
    model: { ids: 'none', lookup: 'retrieve' },
    steps: [
      step('declare', 0, 1),
      step('apply'),
      step('declare', 0, 0),
      step('rename outside', 0, 0),
      step('another workspace'),
    ],
  },
  {
    name: 'what is read by its keys and by its id is renamed outside, and leaves: it was left behind in silence',
    model: { lookup: 'both' },
    steps: [step('declare', 0, 0), step('apply'), step('rename outside', 0, 2), step('undeclare')],
  },
  {
    name: 'nothing can be read after a create whose answer told the id; it is renamed outside, and leaves',
    model: {},
    steps: [step('declare', 0, 0), unread(3), step('rename outside', 0, 2), step('undeclare')],
  },
  {
    name: 'the same, and another one of another kind got the id',
    model: { ids: 'reused', renames: false },
    steps: [step('declare', 0, 0), unread(3), step('recreate outside', 0, 1), step('undeclare')],
  },
  ...([{ ids: 'position' }, { lookup: 'keys' }] as const).map((model) => ({
    name: `a worker dies after it gave an object another name (${JSON.stringify(model)}), and the resource leaves`,
    model,
    steps: [step('declare', 0, 0), step('apply'), step('rename', 0, 2), dies('after', 1), step('undeclare')],
  })),
  {
    name: 'what was found and is of another kind than declared is replaced outside by one of a third, and the resource leaves',
    model: { ids: 'none' },
    steps: [
      ...[step('create outside', 0, 0), step('declare', 2, 0), step('check')],
      ...[step('recreate outside', 0, 1), step('undeclare')],
    ],
  },
  {
    name: 'a worker dies before the create of a successor, and somebody makes what it would have made: that was never ours',
    model: { createFirst: true, renames: false },
    steps: [
      ...[step('declare', 0, 0), step('apply'), step('lifecycle', 0, 2), step('rename', 0, 2)],
      ...[dies('before', 1), step('create outside', 0, 2), step('undeclare')],
    ],
  },
  {
    name: 'a worker dies before its create, and somebody makes what it would have made: that was never ours',
    model: {},
    steps: [step('declare', 0, 0), dies('before', 1), step('create outside', 0, 0), step('undeclare')],
  },
  {
    name: 'two zones claim one object: what is inside of it exists, and was shown as a create',
    model: { unique: false, renames: false, parents: 'key', cascade: false },
    steps: [
      ...[step('declare zone', 0, 0), step('declare zone', 0, 1), step('declare'), step('apply')],
      ...[step('lifecycle', 0, 2), step('swap'), step('delete outside', 1), step('check')],
    ],
  },
  ...(['named', 'sight'] as const).flatMap((caller) =>
    [0, 1].map((which) => ({
      name: `an address takes over another object while its own (${which}) is hidden from the caller, which is known by ${caller}: it was left behind in silence`,
      model: { ids: 'none' as const, renames: false, caller },
      steps: [
        step('declare', 0, 0),
        step('declare', 0, 1),
        step('apply'),
        step('undeclare'),
        step('relabel'),
        asOther(which),
      ],
    })),
  ),
  {
    name: 'ids that are given again: an object was changed and renamed outside, and was given up in silence when its resource left',
    model: { ids: 'reused', unique: false },
    steps: [
      ...[step('declare', 0, 0), step('apply'), step('refit outside'), step('check')],
      ...[step('rename outside', 0, 1), step('undeclare')],
    ],
  },
  {
    name: 'what shall not exist was taken over by its name, and is handed over then',
    model: { unique: false, parents: 'key', cascade: false },
    steps: [
      ...[step('declare zone', 0, 0), step('declare zone', 0, 1), step('apply'), step('forbid', 1)],
      ...[step('rename outside', 0, 1), step('undeclare'), step('apply'), step('hand over')],
    ],
  },
  ...(['id', 'code'] as const).flatMap((emit) =>
    (['both', 'keys'] as const).map((lookup) => ({
      name: `items go to another zone, and the one that they were in is found by its name only: ${emit}, ${lookup}`,
      model: { ...named, emit, lookup, renames: false, cascade: false },
      steps: [
        ...[step('declare zone', 0, 0), step('declare zone', 0, 1), step('declare', 0, 0), step('declare', 0, 1, 1)],
        ...[step('apply'), step('reparent', 2, 1), step('reparent', 3, 0)],
      ],
    })),
  ),
]

const expectLawful = async ({ model, steps }: Story): Promise<void> => {
  const { violation, story } = await playSequence(aModel(model), steps)
  expect(violation, story.join('\n')).toBeUndefined()
}

eachOf(it, 2)(stories)('a defect that was once found stays repaired: $name', expectLawful)

const open: Story = {
  name: 'what shall not exist may be what another resource could not be told from',
  model: { unique: false },
  steps: [
    step('declare', 0, 0),
    step('apply'),
    step('create outside', 0, 0),
    step('declare', 0, 1),
    step('swap', 0, 0),
    step('forbid', 0),
  ],
}

it(open.name, () => expectLawful(open))
