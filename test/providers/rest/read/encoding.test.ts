import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonWord, quoteWord } from '../../../../core/engine/transport/curl/shell-word.ts'
import { resolveValue } from '../../../../core/engine/transport/secrets/resolve-value.ts'
import { fromBase64, toBase64 } from '../../../../core/engine/values/texts/base64-text.ts'
import { fillValue } from '../../../../core/engine/workflows/apply/approved/fill-known.ts'
import { anApi, configureText, linesOf, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const text = `provider:
  id: kv
  baseUrl: "http://api.test"
  errors: { when: [{ place: kvs, exists: false, means: 404 }] }
resources:
  kv_pair:
    operations:
      retrieve: { method: POST, path: /range, effect: read, body: { key: "{key}" }, answer: kvs.0 }
      put: { method: POST, path: /put, errors: {} }
      create: { method: POST, path: /put, errors: {} }
      delete: { method: DELETE, path: "/delete/{key}" }
    identity: { keys: [key] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: put, send: full }
        attributes:
          key: { required: true, immutable: true, encoding: base64 }
          value: { encoding: base64 }
`
const type = typeOf(providerOf(text, {}), 'kv_pair')
const base64 = (value: string) => Buffer.from(value).toString('base64')
const holding = (value: string) => anApi({ 'POST /range': { body: { kvs: [{ key: base64('/a?é'), value }] } } })
const spec = { key: '/a?é', value: 'ÿ' }

describe('texts in Base64', () => {
  it('are decoded in reads, encoded in writes, and readable in a plan', async () => {
    const api = holding(base64('old'))
    const { read, commands } = await planOne(type, { spec }, api)
    expect(read).toMatchObject({ attributes: { key: '/a?é', value: 'old' } })
    expect(api.sent[0]?.body).toEqual({ key: base64('/a?é') })
    expect(linesOf(commands)).toEqual([['POST /put', { key: base64('/a?é'), value: base64('ÿ') }]])
    expect((await planOne(type, { spec }, holding(base64('ÿ')))).commands).toEqual([])
  })

  it('are created and deleted by their encoded names', async () => {
    const none = anApi({ 'POST /range': { body: { header: {} } } })
    const { commands } = await planOne(type, { spec }, none)
    expect(linesOf(commands)).toEqual([['POST /put', { key: base64('/a?é'), value: base64('ÿ') }]])
    expect(commands[0]?.inverse?.url).toBe(`http://api.test/delete/${encodeURIComponent(base64('/a?é'))}`)
  })

  it.each(['/w==', 'no base64!', 'b2xk='])(
    'have a form of their own where they are no text, which is sent and brought back as it was read: %s',
    async (raw) => {
      const value = `bytes/base64:${raw}`
      const { read, commands } = await planOne(type, { spec }, holding(raw))
      expect(read).toMatchObject({ attributes: { value } })
      expect(commands[0]?.inverse?.body).toEqual({ key: base64('/a?é'), value: raw })
      expect((await planOne(type, { spec: { ...spec, value } }, holding(raw))).commands).toEqual([])
      const declared = await planOne(type, { spec: { ...spec, value } }, holding(base64('old')))
      expect(linesOf(declared.commands)).toEqual([['POST /put', { key: base64('/a?é'), value: raw }]])
    },
  )

  it('are both ways the same, whatever bytes they have', () => {
    const near = fc.tuple(fc.constantFrom('', 'base64:', 'bytes/base64:'), fc.string()).map((parts) => parts.join(''))
    const bytes = fc.uint8Array({ maxLength: 8 }).map((all) => Buffer.from(all).toString('base64'))
    fc.assert(fc.property(fc.oneof(bytes, fc.string(), near.map(base64)), (raw) => toBase64(fromBase64(raw)) === raw))
    fc.assert(
      fc.property(
        near.filter((text) => !/^bytes/.test(text)),
        (text) => fromBase64(toBase64(text)) === text,
      ),
    )
  })

  it('may be secrets, which are encoded when they are sent', async () => {
    const secretive = providerOf(text.replace('value: { encoding', 'value: { sensitive: true, encoding'), {})
    const secret = { key: '/a', value: { $secret: 'env:V' } }
    const planned = (value: string) =>
      planOne(
        typeOf(secretive, 'kv_pair'),
        { spec: secret, secrets: { 'env:V': 'ÿ' } },
        anApi({
          'POST /range': { body: { kvs: [{ key: base64('/a'), value }] } },
        }),
      )
    const { commands } = await planned(base64('old'))
    const body = commands[0]?.request.body ?? null
    expect(body).toMatchObject({ value: { $concat: [{ $secret: 'env:V' }], encoding: 'base64' } })
    const sent = await resolveValue(body, { secret: async () => 'ÿ', live: () => ({}) })
    expect(sent).toEqual({ key: base64('/a'), value: base64('ÿ') })
    expect((await planned(base64('ÿ'))).commands).toEqual([])
  })

  it('that an earlier command gives are encoded when they are known', () => {
    const after = { $after: 'kv_pair.one', pointer: '/key' }
    const whole = {
      value: { $concat: ['pre-', after], encoding: 'base64' },
      part: { $concat: [after, { $secret: 'env:V' }], encoding: 'base64' },
    }
    expect(fillValue(whole, () => 'ÿ')).toEqual({
      value: base64('pre-ÿ'),
      part: { $concat: ['ÿ', { $secret: 'env:V' }], encoding: 'base64' },
    })
    expect(fillValue(whole, () => undefined)).toEqual(whole)
  })

  it('are written in a command of the shell as a pipe', () => {
    const value = { value: { $concat: [{ $secret: 'env:V' }], encoding: 'base64' } }
    expect(quoteWord(jsonWord(value))).toBe(`'{"value":"'"$(printf %s "$V" | base64 | tr -d '\\n')"'"}'`)
  })

  it('are nothing else than texts', () => {
    const configured = configureText(text.replace('value: { encoding', 'value: { type: number, encoding'), {})
    expect(configured.ok ? '' : configured.issues[0]?.message).toBe('only a text has an encoding, and this is a number')
  })
})
