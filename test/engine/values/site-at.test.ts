import { expect, it } from 'vitest'
import { oneUrl } from '../../../core/engine/values/url.ts'

it.each([
  ['HTTPS://API.Example:443/v1/things/', 'https://api.example/v1/things'],
  ['https://api.example./v1/things?shown=all#top', 'https://api.example/v1/things'],
  ['https://api.example:8443/v1/./x/../things', 'https://api.example:8443/v1/things'],
  ['https://api.example/%61%3a(b)', 'https://api.example/a:(b)'],
  ['https://api.example/a%2Fb/%ff', 'https://api.example/a%2fb/%FF'],
  ['http://[::1]:80/', 'http://127.0.0.1'],
  ['/run/a b.sock http://one.example/v1/things', '/run/a b.sock http://other.example:99/v1/things'],
])('%s is the same place as %s', (one, other) => {
  expect(oneUrl(one)).toBe(oneUrl(other))
})

it.each([
  ['https://api.example/a%2Fb', 'https://api.example/a/b'],
  ['https://api.example/a', 'http://api.example/a'],
  ['/run/one.sock http://api.example/a', '/run/other.sock http://api.example/a'],
  ['https://api.example/a', 'https://api.example/A'],
])('%s is another place than %s', (one, other) => {
  expect(oneUrl(one)).not.toBe(oneUrl(other))
})
