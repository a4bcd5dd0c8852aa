import { expect, it } from 'vitest'
import type { Change } from '../../../core/engine/schema/stored/plan.ts'
import { changerWords } from '../../../core/pages/render/report/author-words.ts'
import { changeWords } from '../../../core/pages/render/shared/words.ts'
import { aChange, aPlan, same } from '../../builders/values/plans.ts'
import { renderPlan } from '../../builders/values/rendered.ts'

const change = (over: Partial<Change>): Change =>
  aChange({ address: 'a_b.c', action: 'update', diff: same('x'), ...over })

/** Foreign parts stand beside our own words. */
const textOf = (words: ReturnType<typeof changeWords>): string =>
  words.map((part) => (typeof part === 'string' ? part : part.foreign)).join('')

it.each<[Partial<Change>, Parameters<typeof changeWords>[1], string]>([
  [{ action: 'create' }, undefined, 'will be created'],
  [{ action: 'create' }, 'unseen', 'will be created again: it is not found any more'],
  [{ action: 'create' }, 'deleted', 'will be created again: it was deleted outside'],
  [{ action: 'create', reason: 'create_because_archived' }, undefined, 'will be revived'],
  [{ action: 'update' }, 'unseen', 'will be changed'],
  [{ action: 'delete' }, undefined, 'will be destroyed'],
  [{ action: 'replace' }, undefined, 'will be replaced (destroyed, then created)'],
  [{ action: 'replace', replaceOrder: 'deleteFirst' }, undefined, 'will be replaced (destroyed, then created)'],
  [
    { action: 'replace', replaceOrder: 'createFirst' },
    undefined,
    'will be replaced (created, then the old one destroyed)',
  ],
])('the change %j of an object that is gone is described: %s', (over, gone, expected) => {
  const words = textOf(changeWords(change(over), gone))
  expect(words.split(/: (?:it|an) (?!was|is not)/)[0]).toBe(expected)
})

it('names nobody for more than they changed', () => {
  const at = '2026-11-30T17:36:00.000Z'
  const carol = { actor: 'carol', at, action: 'edit', paths: ['tags'] }
  const words = 'by carol (edit, 2026-11-30 17:36 UTC)'
  const said = (summary: string) => changerWords({ summary, changed: { after: at, by: [carol] } })
  expect(said('ttl (in the files), tags, password')).toEqual([`tags ${words}`])
  expect(said('tags')).toEqual([words])
  const gone = { after: at, by: [{ ...carol, paths: [''] }] }
  expect(changerWords({ summary: 'was not found', changed: gone })).toEqual([words])
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
