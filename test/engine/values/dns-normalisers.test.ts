import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalIpv6 } from '../../../core/engine/values/normalise/ipv6.ts'
import { applyNormalisers, normalisersOf } from '../../../core/engine/values/normalise/normalisers.ts'

describe('the IPv6 normaliser', () => {
  it.each([
    ['2001:0DB8::0001', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['fe80:0:0:0:0:0:0:0', 'fe80::'],
    ['::FFFF:192.0.2.1', '::ffff:192.0.2.1'],
    ['::ffff:c000:201', '::ffff:192.0.2.1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ])('spells %s as %s', (written, canonical) => {
    expect(canonicalIpv6(written)).toBe(canonical)
  })

  it.each([
    '',
    '192.0.2.1',
    'www.example.org.',
    ':1',
    '1::2::3',
    '1:2:3',
    '::192.0.2.256',
    '1:2:3:4:5:6:7:8:9',
    '"::1"',
  ])('leaves %j, which is not an address', (text) => {
    expect(canonicalIpv6(text)).toBeUndefined()
    expect(applyNormalisers(text, ['ipv6'])).toBe(text)
  })

  it('keeps the meaning of the address, and changes nothing when it is used again', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = canonicalIpv6(address) ?? ''
        expect(isIPv6(canonical)).toBe(true)
        expect(canonicalIpv6(canonical)).toBe(canonical)
        expect(new URL(`http://[${canonical}]/`).hostname).toBe(new URL(`http://[${address}]/`).hostname)
      }),
    )
  })
})

describe('the normaliser of record texts', () => {
  it.each([
    ['sshKey', 'ssh-ed25519 AAAAC3Nz mona@laptop of 2030\n', 'ssh-ed25519 AAAAC3Nz'],
    ['sshKey', ' sk-ssh-ed25519@openssh.com\tAAAAGnNr== ', 'sk-ssh-ed25519@openssh.com AAAAGnNr=='],
    ['sshKey', 'ssh-rsa AAAAB3Nz a\nssh-rsa AAAAB4Nz b', 'ssh-rsa AAAAB3Nz a\nssh-rsa AAAAB4Nz b'],
    ['sshKey', 'no key AAAA', 'no key AAAA'],
    ['oneSpace', ' 10   mail.example.org. ', '10 mail.example.org.'],
    ['quoted', 'v=spf1 -all', '"v=spf1 -all"'],
    ['quoted', 'a "b" \\c', '"a \\"b\\" \\\\c"'],
    ['quoted', '"as it is" "twice"', '"as it is" "twice"'],
  ] as const)('changes in %s the text %j into %j', (name, text, expected) => {
    expect(applyNormalisers(text, [name])).toBe(expected)
    expect(applyNormalisers(expected, [name])).toBe(expected)
  })
})

describe('the normaliser of upper and lower case', () => {
  const content = {
    normalise: ['trim'],
    cases: [
      { when: { type: ['AAAA'] }, normalise: ['ipv6'] },
      { when: { type: ['CNAME', 'NS'], class: ['IN'] }, normalise: ['trailingDot'] },
    ],
  } as const

  it.each([
    [
      [{ type: 'AAAA' }, {}],
      ['trim', 'ipv6'],
    ],
    [[{ type: 'A' }, {}], ['trim']],
    [[{ type: 'AAAA' }, { type: 'A' }], ['trim']],
    [
      [{ class: 'IN' }, { type: 'NS' }],
      ['trim', 'trailingDot'],
    ],
    [[{ type: 'NS' }], ['trim']],
    [[], ['trim']],
  ])('leaves %j and its neighbours alone', (around, normalise) => {
    expect(normalisersOf(content, around)).toEqual(normalise)
  })
})
