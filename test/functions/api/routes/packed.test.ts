import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../functions/adapters/clock.ts'
import { bodyLimits } from '../../../../functions/api/route/body-limits.ts'
import { routes } from '../../../../functions/api/routes/index.ts'
import { testApi, testDeps } from '../../../builders/aws/api.ts'

/** Time stands still, so that equal requests have equal answers. */
const now = new Date()
const call = testApi(testDeps({ clock: { ...systemClock, now: () => now } }).deps)
const bomb = gzipSync(Buffer.alloc(64_000_001))

/** Each route with a body, in each of its media types. */
const bodies = routes.flatMap(({ id, method, path, bodies, maxBodyBytes }) =>
  Object.entries(bodies).map(([mediaType, { example }]) => ({
    id,
    mediaType,
    limits: bodyLimits(maxBodyBytes),
    text: typeof example === 'string' ? example : JSON.stringify(example),
    send: (body: Uint8Array | string, encoding?: string) =>
      call(method, path.replaceAll('{workspace}', 'acme-dns').replaceAll(/\{\w+\}/g, '01KAJ5X0C1D2E3F4G5H6J7K8M9'), {
        scope: 'read check apply configure',
        body: typeof body === 'string' ? body : Buffer.from(body).toString('base64'),
        isBase64Encoded: typeof body !== 'string',
        headers: { 'content-type': mediaType, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) },
      }),
  })),
)

test('there are such routes', () => expect(bodies.length).toBeGreaterThan(8))

describe.each(bodies)('$id with $mediaType', ({ text, limits, send }) => {
  test('takes the same body packed', async () => {
    const { status, json } = await send(text)
    expect(await send(gzipSync(text), 'gzip')).toMatchObject({ status, json })
  })

  test('refuses what cannot be unpacked', async () => {
    expect(await send(text, 'gzip')).toMatchObject({ status: 400, json: { code: 'REQUEST_INVALID' } })
    const { status, json } = await send(gzipSync(text), 'br')
    expect([status, json['code']]).toEqual([415, 'ENCODING_UNSUPPORTED'])
  })

  test('refuses what unpacks to too much, and names the limits', async () => {
    const { status, json } = await send(bomb, 'gzip')
    expect([status, json['code']]).toEqual([413, 'BODY_TOO_LARGE'])
    for (const limit of [limits.sent, limits.unpacked]) expect(json['detail']).toContain(`${limit} bytes`)
  })
})
