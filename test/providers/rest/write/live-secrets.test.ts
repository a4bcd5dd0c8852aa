import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromPointer, valueAt } from '../../../../core/engine/json/pointer.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { withLiveSecrets } from '../../../../core/providers/rest/request/build-body.ts'

const sealed = (n: number): Json => ({ $sealed: `hmac-sha256:${n}` })

describe('a secret that stays and must be sent again', () => {
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>('plain', 7, null, { $secret: 'env:OTHER' }),
      fc.nat(9).map(sealed),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c/d', '0'), tie('tree'), { maxKeys: 3 }),
    ),
  }))

  it('is named by its place in the read, whatever comes before it', () =>
    fc.assert(
      fc.property(fc.record({ first: tree, more: tree, last: fc.constant(sealed(10)) }), (before) => {
        const sent = withLiveSecrets([before.last, before], before as JsonObject, 'thing.a')
        expect(sent).toMatchObject([{ $secret: 'live:thing.a#/last', digest: 'hmac-sha256:10' }, {}])
        for (const [, pointer = '', n] of JSON.stringify(sent).matchAll(
          /"live:thing\.a#([^"]*)","digest":"hmac-sha256:(\d+)"/g,
        ))
          expect(valueAt(before as Json, fromPointer(pointer))).toEqual(sealed(Number(n)))
        expect(JSON.stringify(sent)).not.toContain('$sealed')
      }),
    ))

  it('stays a digest where it was not read, and the write is refused', () =>
    expect(withLiveSecrets({ a: sealed(1) }, { b: { c: sealed(2) }, d: 'x' }, 'thing.a')).toEqual({ a: sealed(1) }))
})
