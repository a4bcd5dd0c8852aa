import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { whyForeign } from '../../../functions/dev/http/own-request.ts'

const request = (headersDistinct: Record<string, string[]>, url = '/v1') =>
  ({ url, headersDistinct }) as unknown as IncomingMessage

const here = [
  '127.0.0.1:8787',
  '127.0.0.1',
  'localhost:8787',
  'LOCALHOST:8787',
  '[::1]:8787',
  '[0:0:0:0:0:0:0:1]:8787',
  '[0000::0001]:8787',
  // Literals of the same address.
  '127.1:8787',
  '2130706433:8787',
  '0x7f.0.0.1:8787',
]

const elsewhere = [
  '',
  'evil.example',
  'evil.example:8787',
  '127.0.0.1.evil.example:8787',
  'localhost.evil.example',
  'evil-localhost',
  '169.254.169.254',
  '0.0.0.0:8787',
  '[::]:8787',
  '[::ffff:10.0.0.1]:8787',
  '[fe80::1]:8787',
  'user@127.0.0.1:8787',
  '127.0.0.1:8787@evil.example',
  '127.0.0.1/evil',
  '127.0.0.1:8787,evil.example',
  '127.0.0.1 evil.example',
  '127.0.0.1:99999',
  '[::1',
  '%31%32%37.0.0.1',
]

test.each(here)('the Host %j is accepted as this machine', (host) => {
  expect(whyForeign(request({ host: [host] }))).toBeUndefined()
})

test.each(elsewhere)('the Host %j is refused', (host) => {
  expect(whyForeign(request({ host: [host] }))).toMatch(/Host/)
})

test('a missing Host and a repeated Host are refused', () => {
  expect(whyForeign(request({}))).toMatch(/Host/)
  expect(whyForeign(request({ host: ['127.0.0.1', '127.0.0.1'] }))).toMatch(/Host/)
})

test.each([
  ['127.0.0.1:8787', 'http://127.0.0.1:8787', true],
  ['127.1:8787', 'http://127.0.0.1:8787', true],
  ['[0:0::1]:8787', 'http://[::1]:8787', true],
  ['LocalHost:8787', 'http://localhost:8787', true],
  ['127.0.0.1:80', 'http://127.0.0.1', true],
  ['127.0.0.1:8787', 'null', false],
  ['127.0.0.1:8787', '', false],
  ['127.0.0.1:8787', 'http://localhost:8787', false],
  ['127.0.0.1:8787', 'http://127.0.0.1:9999', false],
  ['127.0.0.1:8787', 'https://127.0.0.1:8787', false],
  ['127.0.0.1:8787', 'http://evil.example', false],
  ['127.0.0.1:8787', 'http://127.0.0.1:8787.evil.example', false],
  ['127.0.0.1:8787', 'http://evil.example:8787@127.0.0.1:9', false],
  ['127.0.0.1:8787', 'file://', false],
  ['127.0.0.1:8787', 'chrome-extension://abc', false],
])('at %s the Origin %j is accepted or not: %s', (host, origin, own) => {
  expect(whyForeign(request({ host: [host], origin: [origin] })) === undefined).toBe(own)
})

test('a repeated Origin is refused', () => {
  const own = 'http://127.0.0.1:8787'
  expect(whyForeign(request({ host: ['127.0.0.1:8787'], origin: [own, own] }))).toMatch(/Origin/)
})

test.each(['http://evil.example/', '*', ''])('the target %j is refused as a path', (url) => {
  expect(whyForeign(request({ host: ['127.0.0.1:8787'] }, url))).toBeDefined()
})
