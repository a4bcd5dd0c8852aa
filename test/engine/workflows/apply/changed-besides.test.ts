import { expect, it } from 'vitest'
import { renderApply } from '../../../../core/pages/render/plain/render-applies.ts'
import { aDocument, aThing, aType, aWorld, type lists } from '../../../semantics/world.ts'

/* What a write changes besides what the plan shows, and what the server says by itself, is told after the apply. */

const attributes = `
size: { type: number }
note: {}
token: { sensitive: true }
changed: { computed: true }
`
const type = aType(attributes)
  .replace('op: update, send: object', 'op: set')
  .replace('update: {', 'set: { method: PATCH, path: "/things/{name}" }\n  update: {')

/** A PATCH that keeps nothing of what it does not have, and makes one value anew. */
const replacing: typeof lists = (request, state) => {
  if (request.method !== 'PATCH') return undefined
  const token = `${(JSON.parse(state.get(request.url) ?? '{}') as { token?: string }).token}-again`
  state.set(request.url, JSON.stringify({ name: 'a', token, changed: 'now', ...(JSON.parse(request.body) as object) }))
  return { status: 200, body: '{}' }
}

const live = { a: { name: 'a', size: 1, note: 'of somebody', token: 'hunter2-hunter2', changed: 'then' } }

it.each([
  ['is named', replacing, ['note', 'token']],
  ['is nothing where the server keeps it', undefined, undefined],
])('what an apply changed besides %s', async (_, route, besides) => {
  await using site = await aWorld({
    document: aDocument({ thing: type }),
    resources: [aThing('a', { size: 2 })],
    live,
    ...(route && { server: { route } }),
  })
  const { apply } = await site.checkAndApply()
  expect(apply).toMatchObject({ status: 'succeeded', resources: [{ verdict: 'in_sync', result: 'applied' }] })
  expect(apply.resources?.[0]?.besides).toEqual(besides)
  const text = renderApply(apply)
  expect(text.includes('changed in more than the plan shows')).toBe(besides !== undefined)
  expect(text.includes('changed besides, and not by the plan: note, token')).toBe(besides !== undefined)
  expect(JSON.stringify(apply)).not.toContain('hunter2')
})
