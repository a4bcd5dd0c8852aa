import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare } from '../../../core/engine/diff/compare.ts'
import { isEqual } from '../../../core/engine/diff/matching/canonical.ts'
import { rootOf } from '../../../core/engine/diff/matching/facts.ts'
import { formText } from '../../../core/engine/diff/matching/keys.ts'
import { normalise } from '../../../core/engine/diff/normalise.ts'
import { overlay } from '../../../core/engine/diff/overlay.ts'
import { valueAtPath } from '../../../core/engine/diff/paths.ts'
import { project } from '../../../core/engine/diff/project.ts'
import type { Diff } from '../../../core/engine/schema/diff.ts'
import { isSame } from '../../../core/engine/schema/diff.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { changedPaths } from '../../../core/engine/values/changed-paths.ts'
import { applyDiff, spelledAlike } from '../../builders/generators/apply-diff.ts'
import { pairs, reorderMembers, reorderSets } from '../../builders/generators/arbitraries.ts'

const exact = pairs({ facts: false, partial: false })
const rich = pairs({ facts: true, partial: true })

/** Counts of the nodes that come and go; both sides of an update count for neither. */
const tally = (diff: Diff): { create: number; delete: number; update: number } => {
  const own = { create: 0, delete: 0, update: 0, [diff.action]: 1 }
  const inner: Diff[] =
    diff.kind === 'object' || diff.kind === 'map'
      ? Object.values(diff.members)
      : 'elements' in diff
        ? diff.elements.map((element) => element.diff)
        : 'inner' in diff
          ? [diff.inner]
          : diff.kind === 'text'
            ? diff.lines.map(({ action }): Diff => ({ kind: 'value', action }))
            : []
  return inner.map(tally).reduce(
    (sum, part) => ({
      create: sum.create + part.create,
      delete: sum.delete + part.delete,
      update: sum.update + part.update,
    }),
    { create: own.create, delete: own.delete, update: own.update },
  )
}

describe('compare', () => {
  test('a value is the same as itself', () =>
    fc.assert(
      fc.property(rich, ({ schema, left }) => {
        expect(isSame(compare(schema, left, structuredClone(left)))).toBe(true)
      }),
    ))

  test('swapping the sides swaps create and delete', () =>
    fc.assert(
      fc.property(rich, ({ schema, left, right }) => {
        const there = tally(compare(schema, left, right))
        const back = tally(compare(schema, right, left))
        expect(back).toEqual({ create: there.delete, delete: there.create, update: there.update })
      }),
    ))

  test('the order of members never matters', () =>
    fc.assert(
      fc.property(rich, ({ schema, left, right }) => {
        const other = compare(schema, reorderMembers(left) as JsonObject, right)
        expect(other).toEqual(compare(schema, left, right))
      }),
    ))

  test('the order of sets never matters', () =>
    fc.assert(
      fc.property(exact, ({ schema, left }) => {
        expect(isSame(compare(schema, left, reorderSets(rootOf(schema), left) as JsonObject))).toBe(true)
      }),
    ))

  test('applying the diff to before gives after', () =>
    fc.assert(
      fc.property(exact, ({ schema, left, right }) => {
        const root = rootOf(schema)
        const result = applyDiff(schema, left, compare(schema, left, right))
        const form = (value: Json): string => formText(root, spelledAlike(value))
        expect(form(result as Json)).toBe(form(right))
        const created = applyDiff(schema, null, compare(schema, null, right))
        expect(form(created as Json)).toBe(form(right))
        expect(applyDiff(schema, left, compare(schema, left, null))).toBeUndefined()
      }),
    ))

  test('an unchanged value has no path, and every path differs', () =>
    fc.assert(
      fc.property(exact, ({ schema, left, right }) => {
        const diff = compare(schema, left, right)
        const paths = changedPaths(diff)
        expect(paths.length === 0).toBe(isSame(diff))
        for (const path of paths) {
          expect(isEqual(valueAtPath(schema, left, path), valueAtPath(schema, right, path))).toBe(false)
        }
      }),
    ))
})

describe('overlay', () => {
  const normalised = rich.map(({ schema, left, right }) => ({
    schema,
    desired: normalise(schema, left, 'desired'),
    observed: normalise(schema, right, 'observed'),
  }))

  test('keeps the applied value as it is', () =>
    fc.assert(
      fc.property(normalised, ({ schema, desired, observed }) => {
        const after = overlay(schema, desired, observed)
        expect(overlay(schema, desired, after)).toBe(after)
      }),
    ))

  test('keeps the applied value where the target has filled in defaults', () =>
    fc.assert(
      fc.property(normalised, ({ schema, desired, observed }) => {
        const after = overlay(schema, desired, observed)
        const readBack = normalise(schema, structuredClone(after), 'observed')
        expect(overlay(schema, desired, readBack)).toBe(readBack)
      }),
    ))

  test('changes nothing if nothing is declared', () =>
    fc.assert(
      fc.property(normalised, ({ schema, observed }) => {
        expect(overlay(schema, {}, observed)).toBe(observed)
      }),
    ))

  test('contains what its managed part asks for', () =>
    fc.assert(
      fc.property(normalised, ({ schema, desired, observed }) => {
        expect(overlay(schema, project(schema, desired, observed), observed)).toBe(observed)
      }),
    ))
})
