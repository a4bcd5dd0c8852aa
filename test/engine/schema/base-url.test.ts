import { describe, expect, it } from 'vitest'
import { baseUrlFault } from '../../../core/engine/schema/base-url.ts'

describe('the address of an API', () => {
  it.each([
    'https://api.test',
    'http://api.test/',
    'HTTPS://api.test/a@b/v1/',
    'https://[::1]:8443/v1',
    'https://x/a%20b',
  ])('may be %s', (text) => expect(baseUrlFault(text)).toBeUndefined())

  it.each([
    ['https://api.test/#', 'form'],
    ['https://api.test/?', 'form'],
    ['https://api.test?', 'form'],
    ['https://api.test/?a=1#b', 'form'],
    ['https://api.test/a b', 'form'],
    [' https://api.test', 'form'],
    ['https://api.test/\n', 'form'],
    ['https://api.te\tst/', 'form'],
    ['https://api.test\\v1', 'form'],
    ['https:api.test', 'form'],
    ['https:///me:pw@api.test', 'form'],
    ['ftp://api.test', 'form'],
    ['api.test/v1', 'form'],
    ['', 'form'],
    ['https://me:pw@api.test', 'credentials'],
    ['https://:pw@api.test', 'credentials'],
    ['https://@api.test', 'credentials'],
    ['https://:@api.test/v1', 'credentials'],
    ['https://api.test/a/../b', 'lost'],
    ['https://api.test/a//b', 'lost'],
  ])('is refused as %j: %s', (text, fault) => {
    expect(baseUrlFault(text)).toBe(fault)
  })
})
