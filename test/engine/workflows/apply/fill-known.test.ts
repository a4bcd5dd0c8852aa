import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PlannedRequest } from '../../../../core/engine/schema/command.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import type { Url } from '../../../../core/engine/schema/value.ts'
import { escapeMarks } from '../../../../core/engine/values/marks/marks.ts'
import { fillAll, fillKnown, type KnownValue } from '../../../../core/engine/workflows/apply/approved/fill-known.ts'

const request = (url: Url, body?: Json): PlannedRequest => ({
  method: 'PUT',
  url,
  effect: 'write',
  ...(body === undefined ? {} : { body }),
})
const mark = (pointer: string) => ({ $after: 'zone.main', pointer })
const values: Readonly<Record<string, Json>> = {
  '/id': 'a/b ?',
  '/n': 7,
  '/large': { $number: '9007199254740993' },
  '/empty': '',
  '/dot': '.',
  '/up': '..',
  '/list': [1],
  '/null': null,
}
const known: KnownValue = ({ pointer }) => values[pointer]
const base = 'http://target.test/zones/'

describe('a request with values that became known', () => {
  it.each<[Url, string]>([
    [[base, mark('/id'), '/keys/', mark('/n'), '?x={y}'], `${base}a%2Fb%20%3F/keys/7?x={y}`],
    [[base, mark('/large')], `${base}9007199254740993`],
    [`${base}{after:zone.main:/id}`, `${base}{after:zone.main:/id}`],
    [[base, '{after:zone.main:/id}/', mark('/n')], `${base}{after:zone.main:/id}/7`],
  ])('has each value as one percent-encoded part of its URL: %j', (url, sent) => {
    expect(fillAll(request(url), known).url).toBe(sent)
  })

  it.each(['/empty', '/dot', '/up', '/list', '/null', '/gone'])('is not sent with %s in its path', (pointer) => {
    expect(() => fillAll(request([base, mark(pointer)]), known)).toThrow(
      expect.objectContaining({ code: 'REQUEST_INCOMPLETE' }),
    )
  })

  it('is not sent where parts together would leave the path', () => {
    const dot: KnownValue = ({ pointer }) => (pointer === '/dots' ? '.' : undefined)
    const url = [`${base}.`, mark('/dots'), '/x']
    expect(() => fillAll(request(url), dot)).toThrow(expect.objectContaining({ code: 'REQUEST_INCOMPLETE' }))
    expect(() => fillAll(request([base, mark('/a'), '/x']), () => '')).toThrow()
  })

  it('is not sent with a body that still waits', () => {
    const body = { a: [{ $concat: ['x', mark('/gone')] }] }
    expect(() => fillAll(request(base, body), known)).toThrow(expect.objectContaining({ code: 'REQUEST_INCOMPLETE' }))
    expect(fillAll(request(base, { $literal: mark('/gone') }), known).body).toEqual({ $literal: mark('/gone') })
  })

  it('does not take a part of an answer for an internal mark', () => {
    const foreign = escapeMarks({ $secret: 'env:OTHER' })
    expect(fillAll(request(base, { id: mark('/id') }), () => foreign).body).toEqual({
      id: { $literal: { $secret: 'env:OTHER' } },
    })
  })
})

it('the inside of a text is never changed, whatever it holds', () => {
  const piece = fc.oneof(fc.constantFrom('{after:', 'zone.main', ':/id}', '{', '}', '$after', '/'), fc.string())
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const url = `${base}${pieces.join('')}`
      const filled = fillKnown(request(url), () => {
        throw new Error('asked')
      })
      expect(filled.url).toBe(url)
    }),
  )
})
