import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import { createRedactor, redacted } from '../../../core/engine/transport/redaction/redact.ts'
import { aGet, anAnswer, aTransport } from '../../builders/values/transports.ts'

const knowing = (...values: string[]) => {
  const redactor = createRedactor()
  for (const value of values) redactor.learn(value)
  return redactor
}

const canary = 'c@n4ry/"é\\ +key'

describe('the redactor', () => {
  it.each<[string, (value: string) => string]>([
    ['plain', (value) => value],
    ['JSON', (value) => JSON.stringify({ a: value })],
    [
      'ASCII JSON',
      (value) => JSON.stringify(value).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['a component of a URL', encodeURIComponent],
    [
      'text with code points in six digits',
      (value) => [...value].map((c) => `\\u{${c.codePointAt(0)?.toString(16).padStart(6, '0')}}`).join(''),
    ],
    ['a URL in lower case hex', (value) => encodeURIComponent(value).replace(/%../g, (hex) => hex.toLowerCase())],
    ['a path', encodeURI],
    ['a form', (value) => new URLSearchParams({ a: value }).toString()],
    ['base64', (value) => Buffer.from(value).toString('base64')],
    ['base64url', (value) => Buffer.from(value).toString('base64url')],
    ['base64 in a URL', (value) => encodeURIComponent(Buffer.from(value).toString('base64'))],
  ])('finds a secret in %s', (_, encode) => {
    const text = knowing(canary).text(`before ${encode(canary)} after`)
    expect(text).toContain('(secret)')
    for (const part of ['n4ry', encodeURIComponent(canary), Buffer.from(canary).toString('base64').slice(0, 8)]) {
      expect(text).not.toContain(part)
    }
  })

  it.each([
    ['capital digits of a code point', 'k\u{1F511}ey-1', '\\u{6B}\\u{1F511}\\u{65}\\u{79}\\u{2D}\\u{31}'],
    ['numbers of characters without a semicolon', 'zq-9', '&#122&#113&#x2d&#x39'],
    ['names of characters', 'a{b}\tc-d', 'a&lcub;b&rcub;&Tab;c-d'],
    ['small names of characters', 'a{b}\tc-d', 'a&lcub;b&rcub;&tab;c-d'],
    ['the name of a letter', 'motdepasse\u00e99Kx', 'motdepasse&eacute;9Kx'],
    ['the name of a letter without a semicolon', 'motdepasse\u00e99Kx', 'motdepasse&eacute9Kx'],
    ['the names of other alphabets', '\u017b\u0394\u0416-9Kx', '&Zdot;&Delta;&ZHcy;-9Kx'],
    ['names of ASCII without a semicolon', 'Zq&9<Kx', 'Zq&amp9&ltKx'],
    ['both, escaped twice', 'Zq&9<\u00e9Kx', 'Zq&amp;amp9&lt&amp;eacute;Kx'],
    ['what looks like a name', 'reg&copyKx9', 'reg&copyKx9'],
    ['what looks like a name, escaped', 'a&copyKx/9', 'a%26copyKx%2F9'],
    ['a byte of windows-1252 by its number', 'Kx\u20ac9-Zq', 'Kx&#128;9-Zq'],
    ['a byte of windows-1252', 'Kx\u20ac9-Zq', 'Kx%809-Zq'],
    ['a number with zeros', 'Zq\u00e9-9', 'Zq&#x0000000e9;-&#0000000057;'],
    ['a space that does not break', 'my pass 9', 'my&nbsp;pass&nbsp9'],
    ['bytes beside a letter', 'Zq9\u00c7a\u00e9Kx7W', 'Zq9%C3%87a\u00e9Kx7W'],
    ['bytes before a letter, and a plus sign', 'Zq9\u00c7 a\u{1f511}\u00e9', 'Zq9%C3%87+a%F0%9F%94%91\u00e9'],
  ])('finds a secret in %s', (_, secret, text) => expect(knowing(secret).text(`x ${text} y`)).toBe('x (secret) y'))

  it.each([
    ['a short line', 'Zq9abcd\nKx7Wv8x', 'no Kx7Wv8x here', 'no (secret) here'],
    ['a line of four characters', 'Zq9a\r\nKx7W', 'no Kx7W, nor Zq9a', 'no (secret), nor (secret)'],
    ['other line ends', 'Zq9\nKx7Wv8', 'no Zq9%0D%0AKx7Wv8 here', 'no (secret) here'],
    [
      'other line ends of lines that are too short',
      'Zq9\r\nKx7\r\nWv8\r\n',
      'no Zq9\nKx7\nWv8 here',
      'no (secret) here',
    ],
    ['a space for a line end', 'Zq9\nKx7', 'no Zq9+Kx7 here', 'no (secret) here'],
    ['no line end', 'Zq9\nKx7', 'no Zq9Kx7 here', 'no (secret) here'],
    ['a line of three characters', 'Zq9\nKx7Wv8', 'no Zq9x here', 'no Zq9x here'],
    ['a short line of a file', `kind: Key\n  true\n    }\n${'x'.repeat(64)}`, 'true: {a }', 'true: {a }'],
    ['a line of a file', `kind: Key\n  true\n    }\n${'x'.repeat(64)}`, 'a kind: Key', 'a (secret)'],
  ])('finds the lines of a secret: %s', (_, secret, from, to) => expect(knowing(secret).text(from)).toBe(to))

  it('finds a secret that looks like a name after an ampersand', () => {
    expect(knowing('copyKx/9').text('?a=1&copyKx%2F9')).toBe('?a=1&(secret)')
  })

  const own = 'CANARY-7d0f3a91-Zz'
  it.each(['\r', '\r\n', '\t', '\u00a0', '\ufeff', '\u0085', '\u2028', '\u200b', '  ', '\0'])(
    'finds a secret without what surrounds it: %j',
    (around) => {
      for (const secret of [`${own}${around}`, `${around}${own}`, `${around}${around}${own}${around}`])
        expect(knowing(secret).text(`the key ${own} may not do this`)).not.toContain(own)
    },
  )

  it.each(['\n', '\r\n', '\r', '\u2028', '\u0085'])('finds a single line of a secret, at any line end: %j', (end) => {
    const lines = knowing(`first line of it${end}${own}${end}third line of it`)
    expect(lines.text(`the key ${own} may not do this`)).toBe('the key (secret) may not do this')
  })

  it.each([
    ['New-Secret-99', 'no new-secret-99 here', 'no (secret) here'],
    ['New-Secret-99', 'no NEW-SECRET-99 here', 'no (secret) here'],
    ['Caf%C3%A9!Zz', 'no caf%c3%a9!zz here', 'no (secret) here'],
    ['Production', 'in production', 'in production'],
    ['Ab-1', 'ab-1', 'ab-1'],
  ])('finds the secret %s in the case of a target, unless it may be a word: %s', (secret, from, to) => {
    expect(knowing(secret).text(from)).toBe(to)
  })

  it.each(['NFC', 'NFD', 'NFKC', 'NFKD'])('finds a secret in the normal form %s', (form) => {
    for (const secret of ['p\u00e4ssw\u00f6rd-1', 'pa\u0308ssword-1', '\ufb01le-key-\u212b'])
      expect(knowing(secret).text(`x ${secret.normalize(form)} y`)).toBe('x (secret) y')
  })

  it('removes every secret of at least four characters from any text', () => {
    const secret = fc
      .string({ minLength: 4, unit: 'grapheme' })
      .filter((each) => each.length >= 4 && !'(secret)'.includes(each))
    const around = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), around, around, (secrets, before, after) => {
        const text = knowing(...secrets).text(`${before}\n${secrets.join('\n')}\n${after}`)
        for (const part of text.split('(secret)')) for (const each of secrets) expect(part).not.toContain(each)
      }),
    )
  })

  it('removes the longer of two secrets that start alike', () => {
    expect(knowing('abcd', 'abcdefgh').text('abcdefgh abcd')).toBe('(secret) (secret)')
  })

  it.each([
    ['key=abc;', 'key=(secret);'],
    ['abc', '(secret)'],
    ['abcd', 'abcd'],
    ['éabc', 'éabc'],
  ])('removes a short secret only as a whole word: %s', (text, expected) => {
    expect(knowing('abc').text(text)).toBe(expected)
  })

  it('removes each line of a key', () => {
    expect(knowing('-----BEGIN KEY-----\nMIIEvQIBADAN\n').text('bad line: MIIEvQIBADAN')).toBe('bad line: (secret)')
  })

  it('removes secrets from JSON, in names of members and numbers too', () => {
    const redactor = knowing('13371337')
    expect(redactor.json({ 'a-13371337': [13371337, 1, null, true, 'x13371337'] })).toEqual({
      'a-(secret)': ['(secret)', 1, null, true, 'x(secret)'],
    })
  })

  it('changes nothing before it knows a secret, and ignores an empty one', () => {
    expect(knowing('').text('a b')).toBe('a b')
  })
})

describe('the redaction of errors and answers', () => {
  it('removes secrets from message, payload, stack and causes of an error', async () => {
    const cause = new TypeError(`bad header ${canary}`, {
      cause: Object.assign(new Error(canary), { code: 'E_CODE', sent: canary }),
    })
    const url = `http://target.test/?key=${encodeURIComponent(canary)}`
    const inner = aTransport(
      new AppError('REQUEST_FAILED', { method: 'GET', url, detail: canary, reason: 'timeout' }, { cause }),
    )
    const error: AppError = await redacted(inner, knowing(canary))
      .send(aGet())
      .then(
        () => expect.unreachable(),
        (thrown) => thrown,
      )
    expect(error).toBeInstanceOf(AppError)
    expect(error.payload).toEqual({
      method: 'GET',
      url: 'http://target.test/?key=(secret)',
      detail: '(secret)',
      reason: 'timeout',
    })
    expect(error.message).toBe('GET http://target.test/?key=(secret) failed: (secret)')
    expect(error.cause).toEqual({ error: 'TypeError', cause: { error: 'Error E_CODE' } })
    expect(error.stack).not.toContain('n4ry')
  })

  it('turns anything else that is thrown into a defect', async () => {
    const inner = aTransport(new Error(`oh ${canary}`))
    await expect(redacted(inner, knowing(canary)).send(aGet())).rejects.toMatchObject({
      code: 'INTERNAL',
      payload: { detail: 'Error' },
    })
  })

  it('keeps answers unchanged, because plans are made from them', async () => {
    expect((await redacted(aTransport(anAnswer(200, canary)), knowing(canary)).send(aGet())).body).toBe(canary)
  })
})
