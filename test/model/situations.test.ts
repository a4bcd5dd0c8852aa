import { describe, expect, it } from 'vitest'
import { lawCases } from '../builders/laws.ts'
import { aModel, describeModel, isRenamable, isStable, type Model } from './model.ts'
import { type Played, playSequence } from './play.ts'
import { type Step, step } from './steps.ts'

/*
 * What nobody could be in doubt about must be done, and not merely be left unchecked: each situation over every kind of API
 * that it can happen in.
 */

interface Situation {
  readonly name: string
  readonly steps: readonly Step[]
  /** The objects at the end, beside those from before: as many more or fewer. */
  readonly more?: number
  /** The same objects as before, none made anew. */
  readonly same?: true
  /** How it ends, if not converged. */
  readonly end?: Played['end']
  /** It may also be shown and not be done. */
  readonly orBlocked?: true
  readonly on?: (model: Model) => boolean
}

/** Three items, or a zone with two items in it. The second and the third are items everywhere. */
const declared = [step('declare', 0, 0), step('declare', 0, 1), step('declare', 0, 2), step('apply'), step('apply')]

const situations: readonly Situation[] = [
  { name: 'nothing happens', steps: [], same: true },
  { name: 'an address changes', steps: [step('relabel', 0, 0)], same: true },
  { name: 'the address of the last one changes', steps: [step('relabel', 2, 0)], same: true },
  { name: 'an attribute changes here', steps: [step('edit', 1, 3)], same: true },
  { name: 'an attribute changes outside', steps: [step('edit outside', 1, 3)], same: true },
  { name: 'a name changes here', steps: [step('rename', 1, 3)], on: isRenamable },
  {
    name: 'a name changes outside',
    steps: [step('rename outside', 1, 3)],
    same: true,
    on: (model) => isRenamable(model) && isStable(model.ids) && model.lookup !== 'keys',
  },
  {
    name: 'a name and a fixed value change outside',
    steps: [step('refit outside', 1, 3, 1)],
    same: true,
    end: 'unchecked',
    on: (model) => isRenamable(model) && isStable(model.ids) && model.lookup !== 'keys',
  },
  {
    name: 'a fixed name changes here',
    steps: [step('rename', 1, 3)],
    orBlocked: true,
    on: (model) => !isRenamable(model),
  },
  {
    name: 'a fixed name changes here, and the object may be replaced',
    steps: [step('lifecycle', 1, 2), step('rename', 1, 3)],
    on: (model) => !isRenamable(model),
  },
  { name: 'one is deleted outside', steps: [step('delete outside', 2)] },
  {
    name: 'one is deleted and made again outside',
    steps: [step('recreate outside', 1)],
    end: 'blocked',
    on: ({ ids }) => isStable(ids),
  },
  {
    name: 'one is deleted and made again outside, and nothing proves it',
    steps: [step('recreate outside', 1)],
    on: ({ ids }) => !isStable(ids),
  },
  { name: 'the lists are reordered', steps: [step('reorder outside', 0)], same: true },
  { name: 'somebody makes another', steps: [step('create outside', 1, 3)], more: 1 },
  { name: 'one leaves', steps: [step('undeclare', 1)], more: -1 },
  { name: 'the last one leaves', steps: [step('undeclare', 2)], more: -1 },
  { name: 'two leave', steps: [step('undeclare', 1), step('undeclare', 1)], more: -2 },
  { name: 'all leave', steps: [step('undeclare'), step('undeclare'), step('undeclare')], more: -3 },
  {
    name: 'one leaves after the lists are reordered',
    steps: [step('reorder outside', 0), step('undeclare', 1)],
    more: -1,
  },
  { name: 'one leaves that is gone already', steps: [step('delete outside', 1), step('undeclare', 1)], more: -1 },
]

/** Every kind of id with every lookup; what else there is goes round, so that each meets most of the others. */
const models: readonly Model[] = (['random', 'text', 'counted', 'reused', 'position', 'none'] as const).flatMap(
  (ids, row) =>
    (['retrieve', 'list', 'keys'] as const).map((lookup, column) =>
      aModel({
        ids,
        lookup,
        parents: (['none', 'path', 'field', 'key'] as const)[(row + column) % 4] ?? 'none',
        byName: row % 2 === column % 2,
        emit: row % 3 === 0 ? 'code' : 'id',
        renames: (row + column) % 3 !== 1,
        unique: column % 2 === 0,
        pages: row % 2 === 1,
        silent: column === 1,
        keys: row < 3 ? 1 : 2,
      }),
    ),
)

const played = new Map<Model, Promise<Played>>()

const playDeclared = (model: Model): Promise<Played> => {
  const known = played.get(model) ?? playSequence(model, declared)
  played.set(model, known)
  return known
}

describe.each(situations)(
  'a workspace where this happens: $name',
  ({ steps, more, same, end = 'converged', orBlocked, on = () => true }) => {
    const cases = lawCases(models.filter(on)).map((model) => [describeModel(model), model] as const)
    it.each(cases)('ends as promised in the model: %s', async (_, model) => {
      const before = await playDeclared(model)
      const after = await playSequence(model, [...declared, ...steps])
      const ends = orBlocked ? [end, 'blocked'] : [end]
      expect(ends, after.story.join('\n')).toContain(after.violation ?? after.end)
      expect(after.uids.length, after.story.join('\n')).toBe(before.uids.length + (more ?? 0))
      if (same) expect(after.uids, after.story.join('\n')).toEqual(before.uids)
    })
  },
)
