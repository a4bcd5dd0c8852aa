import { describe, expect, it } from 'vitest'
import type { Heard } from '../../../builders/servers/loopback.ts'
import { expectedSignature } from '../../../builders/servers/machines-door.ts'

/* The judge of the other tests, judged by the test suite that AWS publishes (aws-sig-v4-test-suite, in awslabs/aws-c-auth). */

const sts =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='

const plain: Heard = { method: 'GET', url: '/', headers: {}, body: '' }

describe('the verifier of signatures', () => {
  it.each<[string, Partial<Heard>, string]>([
    ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-vanilla-query-order-key-case',
      { url: '/?Param2=value2&Param1=value1' },
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    ['post-vanilla', { method: 'POST' }, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-x-www-form-urlencoded',
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'Param1=value1' },
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
    [
      'post-sts-header-before',
      { method: 'POST', headers: { 'x-amz-security-token': sts } },
      '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
    ],
  ])('computes what AWS publishes for %s', (_, request, signature) => {
    const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z', ...request.headers }
    const scope = { day: '20150830', region: 'us-east-1', service: 'service', names: Object.keys(headers).toSorted() }
    const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
    expect(expectedSignature({ ...plain, ...request, headers }, scope, secret)).toBe(signature)
  })
})
