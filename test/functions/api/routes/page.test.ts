import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageFiles } from '../../../../functions/adapters/files/page-files.ts'
import type { Access } from '../../../../functions/api/middleware/authenticate.ts'
import { testApi, testDeps } from '../../../builders/aws/api.ts'

let folder: string
const script = `export const ${'x'.repeat(5_000)} = 1\n`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-page-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Plumbline</title>')
  await writeFile(join(folder, 'main-ABCDEFGH.js'), script)
  await writeFile(join(folder, 'secret.txt'), 'not a file of the page')
})
afterAll(() => rm(folder, { recursive: true }))

const access = (more: Partial<Access> = {}): Access => ({ SCOPE_PREFIX: '', ...more })
const apiWith = (given: Access) => testApi(testDeps().deps, given, pageFiles(folder))

describe('the page', () => {
  it('is open, and loads and asks only its own server', async () => {
    const { status, headers, text } = await apiWith(access())('GET', '/')
    expect({ status, text }).toEqual({ status: 200, text: '<!doctype html><title>Plumbline</title>' })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    )
  })
  it('reaches the issuer of its readers too, and nobody else', async () => {
    const SIGN_IN = {
      issuer: 'https://issuer.example/pool',
      clientId: 'c',
      scope: 'read',
      origins: ['https://tokens.example/'],
    }
    const { headers } = await apiWith(access({ SIGN_IN }))('GET', '/', { query: 'code=abc&state=def' })
    expect(headers['content-security-policy']).toContain(
      "connect-src 'self' https://issuer.example https://tokens.example;",
    )
  })
  it('has files that are kept for ever, because their names change with them', async () => {
    const call = apiWith(access())
    const { status, headers, text } = await call('GET', '/assets/main-ABCDEFGH.js', {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect({ status, text }).toEqual({ status: 200, text: script })
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      'x-content-type-options': 'nosniff',
    })
  })
  it.each(['secret.txt', '..%2Fpackage.js', '.env.js', 'index.html', `${'a'.repeat(90)}.js`])(
    'has no other file: %j',
    async (name) => {
      expect((await apiWith(access())('GET', `/assets/${name}`)).status).toBe(400)
    },
  )
  it('says that it has no such file, or was not built', async () => {
    expect((await apiWith(access())('GET', '/assets/main-OTHERONE.js')).status).toBe(404)
    expect((await testApi(testDeps().deps)('GET', '/')).status).toBe(404)
  })
})
