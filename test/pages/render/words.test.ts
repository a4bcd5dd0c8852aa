import { expect, it } from 'vitest'
import type { Change } from '../../../core/engine/schema/stored/plan.ts'
import { changeWords } from '../../../core/pages/render/shared/words.ts'
import { aChange, aPlan, same } from '../../builders/values/plans.ts'
import { renderPlan } from '../../builders/values/rendered.ts'

const change = (over: Partial<Change>): Change =>
  aChange({ address: 'a_b.c', action: 'update', diff: same('x'), ...over })

/** Foreign parts stand beside our own words. */
const textOf = (words: ReturnType<typeof changeWords>): string =>
  words.map((part) => (typeof part === 'string' ? part : part.foreign)).join('')

it.each<[Partial<Change>, boolean, string]>([
  [{ action: 'create' }, false, 'will be created'],
  [{ action: 'create' }, true, 'will be created again: it was deleted outside'],
  [{ action: 'create', reason: 'create_because_archived' }, false, 'will be revived'],
  [{ action: 'update' }, true, 'will be changed'],
  [{ action: 'delete' }, false, 'will be destroyed'],
  [{ action: 'replace' }, false, 'will be replaced (destroyed, then created)'],
  [{ action: 'replace', replaceOrder: 'deleteFirst' }, false, 'will be replaced (destroyed, then created)'],
  [{ action: 'replace', replaceOrder: 'createFirst' }, false, 'will be replaced (created, then the old one destroyed)'],
])('the change %j of an object that was deleted outside is described: %s', (over, vanished, expected) => {
  const words = textOf(changeWords(change(over), vanished))
  expect(words.split(/: (?:it|an) (?!was)/)[0]).toBe(expected)
})

it('counts the changes of a module under its address', () => {
  const module = 'module.prod["eu"]'
  const changes = [change({ module, address: `${module}.a_b.c` }), change({})]
  const text = renderPlan(aPlan({ changes }), { format: 'text' })
  expect(text.split('\n').filter((line) => /^ {2}(?:root module|module)/.test(line))).toEqual([
    '  root module        ~ 1',
    '  module.prod["eu"]  ~ 1',
  ])
})

it('names the settings that give a check more time, once for all resources that it did not read', () => {
  const unchecked = ['a', 'b', 'c'].map((name) => ({
    address: `a_b.${name}`,
    reason: 'deadline' as const,
    detail: 'reading this workspace exceeds its time limit of 600 s',
  }))
  const text = renderPlan(aPlan({ unchecked }), { format: 'text' }).replaceAll(/\s+/g, ' ')
  expect(text.split('set `limits.time: 2h` in the workspace')).toHaveLength(2)
})
