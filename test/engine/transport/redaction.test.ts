import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAutomaton } from '../../../core/engine/transport/redaction/automaton.ts'
import { createRedactor } from '../../../core/engine/transport/redaction/redact.ts'
import { readingsOf } from '../../../core/engine/transport/redaction/spellings.ts'
import { spellings } from '../../builders/generators/spellings.ts'
import { lawRuns } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'

const knowing = (...values: string[]) => {
  const redactor = createRedactor()
  for (const value of values) redactor.learn(value)
  return redactor
}
const unitsOf = (text: string): Uint16Array => Uint16Array.from([...text], (_, n) => text.charCodeAt(n))

const secrets = {
  'a password': `c@n4ry/"é\\ +key&<x>'%41`,
  'a key': 'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
  'a number': '8675309001',
  'a line of a key': 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
  'other letters': 'пароль-密码-🔑',
  'what looks encoded': 'a%2Fb%5C+"\\n"&amp;',
}

describe.each(Object.entries(secrets))('%s', (_, secret) => {
  it.each(Object.entries(spellings))('is removed from a text that contains it as %s', (_name, spell) => {
    const spelled = spell(secret)
    const text = knowing(secret).text(`before ${spelled}\nafter`)
    expect(text).toContain('(secret)')
    expect(text).toMatch(/^before /)
    expect(text).toMatch(/after$/)
    for (const part of [secret.slice(0, 6), secret.slice(-6), spelled.slice(-14, -6)]) expect(text).not.toContain(part)
  })
})

describe('layers, as SECURITY.md promises them', () => {
  const secret = secrets['a password']
  const escapes = {
    JSON: (text: string) => JSON.stringify(text),
    URL: encodeURIComponent,
    HTML: (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  }
  const encodings = {
    Base64: (text: string) => Buffer.from(text).toString('base64'),
    hex: (text: string) => Buffer.from(text).toString('hex'),
  }
  const times = (n: number, wrap: (text: string) => string) =>
    Array.from({ length: n }).reduce<string>((text) => wrap(text), secret)

  it.each(Object.entries(escapes))('ten of %s are removed', (_, wrap) => {
    for (let n = 1; n <= 10; n += 1) expect(knowing(secret).text(times(n, wrap))).toMatch(/\(secret\)|\(withheld/)
  })

  it.each(Object.entries(encodings))('two of %s are read, with escapes around each, and three are not', (_, encode) => {
    const { JSON: json, URL: url, HTML: html } = escapes
    const text = html(url(encode(json(url(encode(html(json(secret))))))))
    expect(knowing(secret).text(text)).toContain('(secret)')
    expect(knowing(secret).text(times(2, encode))).toContain('(secret)')
    expect(knowing(secret).text(times(3, encode))).toBe(times(3, encode))
  })

  it('a secret with characters put into it, or in UTF-16, is not found, and the page says so', () => {
    const key = secrets['a key']
    const wide = Buffer.from(key, 'utf16le')
    const parted = ['\n', '\t', ' '].map((sign) => `${key.slice(0, 9)}${sign}${key.slice(9)}`)
    for (const text of [...parted, wide.toString(), wide.toString('base64'), wide.toString('hex')])
      expect(knowing(key).text(text)).toBe(text)
    expect(readFileSync('SECURITY.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(
      'Nor is it found where a line feed, a tab or another character was put into a secret of one line, or where it is in UTF-16, also as Base64 or hex.',
    )
  })
})

it('secrets that are learnt one after the other are all removed from then on', long, () => {
  const redactor = createRedactor()
  const learnt: string[] = []
  for (let n = 0; n < 600; n += 1) {
    const secret = `s3cret-${(n * 7919).toString(36)}-${n}`
    learnt.push(secret)
    redactor.learn(secret)
    if (n % 7 === 0) expect(redactor.text(`a ${secret} b ${learnt[n >> 1]} c`)).toBe('a (secret) b (secret) c')
  }
})

it('the fast search removes the same as a search for each secret alone', () => {
  const letter = fc.constantFrom('a', 'b', 'ab', 'aab', 'c')
  const word = fc.array(letter, { minLength: 4, maxLength: 9 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.array(letter, { maxLength: 60 }), (words, parts) => {
      const text = parts.join('')
      const covered = (places: readonly (readonly [number, number])[]) =>
        Array.from(text, (_, at) => places.some(([start, end]) => start <= at && at < end))
      const found: (readonly [number, number])[] = []
      createAutomaton(words.map(unitsOf)).scan({ units: unitsOf(text), length: text.length }, (start, end) =>
        found.push([start, end]),
      )
      const wanted = words.flatMap((each) =>
        Array.from(text, (_, at) => at).flatMap((at) =>
          text.startsWith(each, at) ? [[at, at + each.length] as const] : [],
        ),
      )
      expect(covered(found)).toEqual(covered(wanted))
    }),
    lawRuns(1000),
  )
})

describe('many and long secrets', () => {
  it('are all removed: 32 kB, a megabyte, twenty thousand', long, () => {
    const text = Array.from({ length: 60_000 }, (_, n) => (n * 2_654_435_761).toString(36)).join('.')
    const many = Array.from({ length: 20_000 }, (_, n) => `key-${n}-${(n * 40_503) % 65_537}`)
    const redactor = knowing(text, ...many)
    expect(redactor.text(`x ${text} y`)).toBe('x (secret) y')
    expect(redactor.text(`${many[0]} ${many[19_999]} key-x`)).toBe('(secret) (secret) key-x')
    expect(redactor.json({ a: [many[77] ?? ''] })).toEqual({ a: ['(secret)'] })
  })

  it.each([
    ['words', 'some words of an answer, {"id": 7} '],
    ['percent signs', '%25'],
    ['percent signs in a row', '25'],
    ['backslashes', '\\'],
    ['base64', 'QUJDRA=='],
    ['hex', '0a'],
    ['entities', '&amp;amp;'],
    ['mixed', '%2541\\u0041QUFB&amp;'],
  ])('cost no more than in proportion to a text of %s', (_, piece) => {
    const work = (n: number): number => {
      let sum = 0
      for (const { length } of readingsOf(`%${piece.repeat(n)}`)) sum += length
      return sum
    }
    expect(work(4000)).toBeLessThan(work(2000) * 2.2 + 1000)
  })

  it('are found in one pass, also where a secret could begin at each character', () => {
    const steps = (length: number): number => {
      let steps = 0
      const units = new Proxy(unitsOf('a'.repeat(length)), {
        get: (target, name) => {
          if (typeof name === 'string' && /^\d+$/.test(name)) steps += 1
          return Reflect.get(target, name)
        },
      })
      createAutomaton([unitsOf(`${'a'.repeat(500)}b`)]).scan({ units, length }, () => {})
      return steps
    }
    expect(steps(4000)).toBeLessThan(4000 * 6)
  })

  it('a text that would take too long to search is withheld', () => {
    const text = `%${'25'.repeat(8000)} my-secret`
    expect(knowing('my-secret').text(text)).toBe('(withheld: it may hold a secret)')
  })
})

it('a search that fails shows nothing of the text', () => {
  const redactor = knowing('my-secret')
  const broken = { length: 9, toString: () => 'my-secret' } as unknown as string
  expect(redactor.text(broken)).toBe('(withheld: it may hold a secret)')
})
