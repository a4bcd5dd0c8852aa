import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerUrl } from '../../../core/engine/transport/answer/answer-url.ts'
import { lawRuns } from '../../builders/laws.ts'

const base = 'https://api.test:8443/v1/jobs?page=1'

describe('a URL that comes from an answer', () => {
  it.each([
    ['/v1/jobs/7', 'https://api.test:8443/v1/jobs/7'],
    ['7?x=1#part', 'https://api.test:8443/v1/7?x=1'],
    ['?page=2', 'https://api.test:8443/v1/jobs?page=2'],
    ['https://API.test:8443/x', 'https://api.test:8443/x'],
    ['/a/../b/%2e%2e/c', 'https://api.test:8443/c'],
    ['/x?leak={after:other.one:/attributes/token}', 'https://api.test:8443/x?leak={after:other.one:/attributes/token}'],
  ])('is resolved against the URL of the request: %s', (text, url) => {
    expect(answerUrl(text, base)).toEqual({ ok: true, url })
  })

  it.each([
    'https://other.test/v1',
    '//other.test/v1',
    'https://api.test/v1',
    'http://api.test:8443/v1',
    'https://api.test:8443@other.test/',
    'https://me:secret@api.test:8443/v1',
    'https://me@api.test:8443/v1',
    '\\\\other.test\\x',
    '/\\other.test',
    '/v1\n/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    `/${'x'.repeat(9000)}`,
    'https://',
  ])('is refused: %s', (text) => {
    expect(answerUrl(text, base)).toMatchObject({ ok: false })
  })

  it('never leaves the origin of the request, whatever it is', () => {
    const piece = fc.constantFrom(
      '/',
      '//',
      '@',
      ':',
      '\\',
      '.',
      '..',
      'https:',
      'other.test',
      '?',
      '#',
      '%2f',
      'x',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const found = answerUrl(pieces.join(''), base)
        if (!found.ok) return
        const { origin, username, password, hash } = new URL(found.url)
        expect([origin, username, password, hash]).toEqual(['https://api.test:8443', '', '', ''])
      }),
      lawRuns(2000),
    )
  })
})
