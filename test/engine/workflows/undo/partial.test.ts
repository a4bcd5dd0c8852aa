import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aThing, aType, aWorld } from '../../../semantics/world.ts'

/* What nobody declares of a value is known by its digest alone: it stays where it is, and an undo leaves it there, too. */

const applyAndUndo = async (type: string, spec: JsonObject, live: JsonObject, secrets = {}) => {
  await using site = await aWorld({
    document: aDocument({ thing: type }),
    resources: [aThing('a', spec)],
    live: { a: live },
    secrets,
  })
  const { plan, apply } = await site.checkAndApply()
  const applied = site.bodyOf('a')
  site.clock.forward(60_000)
  const undo = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, site.deps)
  site.clock.forward(60_000)
  const undone = undo.plan.commands.length === 0 ? undefined : await site.apply(undo.plan.digests.commands)
  const [command] = plan.commands
  return {
    grade: [command?.grade, command?.loses],
    applied,
    undone: undone?.status,
    left: site.bodyOf('a'),
    said: JSON.stringify([plan, undo]),
  }
}

const ways: readonly (readonly [method: string, write: string])[] = [
  ['PATCH', 'send: changed'],
  ['PATCH', 'send: full'],
  ['PUT', 'send: changed'],
  ['PUT', 'send: full'],
  ['PUT', 'send: object'],
  ['PATCH', 'send: mergePatch'],
  ['PATCH', 'send: jsonPatch'],
]
const typeOf = (attributes: string, [method, write]: readonly [string, string]): string =>
  aType(attributes).replace('update: { method: PUT', `update: { method: ${method}`).replace('send: object', write)

describe('a change of what is declared of any JSON', () => {
  eachOf(
    it,
    1,
  )<[string, string, (options: Json) => Json]>([
    ['an attribute', 'options: { type: any, partial: true }', (options) => options],
    [
      'a member of an object',
      'options: { type: object, attributes: { in: { type: any, partial: true }, more: {} } }',
      (options) => ({ in: options }),
    ],
  ])('is undone with each way to send: %s', async (_, attributes, around) => {
    const options = { a: 1, b: { c: 2, d: [1, 2] }, of: 'somebody', n: null }
    const live = { size: 1, options: around(options) }
    const next = around({ a: 5, b: { c: 3 }, fresh: 'x' })
    for (const way of ways) {
      const { grade, applied, undone, left, said } = await applyAndUndo(
        typeOf(attributes, way),
        { options: next },
        live,
      )
      const changed = around({ ...options, a: 5, b: { c: 3, d: [1, 2] }, fresh: 'x' })
      expect([way, grade, applied]).toEqual([way, ['reversible', undefined], { ...live, options: changed }])
      expect([way, undone, left]).toEqual([way, 'succeeded', live])
      expect(said).not.toContain('somebody')
    }
  })

  it('names what nobody declared and what it replaces, and has no way back', long, async () => {
    const live = { options: { a: { b: 'of somebody' } } }
    for (const way of ways) {
      const { grade, undone } = await applyAndUndo(
        typeOf('options: { type: any, partial: true }', way),
        { options: { a: 'other' } },
        live,
      )
      expect([way, ...grade, undone]).toEqual([way, 'lossy', ['/options'], undefined])
    }
  })
})

it('a change beside a secret that stays is undone, and the secret is in nothing that is said', long, async () => {
  const attributes = 'login: { type: object, attributes: { user: {}, password: { sensitive: true } } }'
  const live = { login: { user: 'old', password: 'hunter2-hunter2' } }
  for (const way of ways) {
    const { grade, undone, left, said } = await applyAndUndo(typeOf(attributes, way), { login: { user: 'new' } }, live)
    expect([way, ...grade, undone, left]).toEqual([way, 'reversible', undefined, 'succeeded', live])
    expect(said).not.toContain('hunter2')
  }
})
