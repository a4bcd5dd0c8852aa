import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NormaliserName, normaliserNames } from '../../../core/engine/schema/attribute.ts'
import { applyNormalisers } from '../../../core/engine/values/normalise/normalisers.ts'

const cases: readonly (readonly [NormaliserName, unknown, unknown])[] = [
  ['ip', '192.0.2.1', '192.0.2.1'],
  ['ip', ' 192.0.2.1/24 ', '192.0.2.1/24'],
  ['ip', '192.0.2.1/255.255.255.0', '192.0.2.1/24'],
  ['ip', '192.0.2.1/255.0.255.0', '192.0.2.1/255.0.255.0'],
  ['ip', '192.0.2.01', '192.0.2.01'],
  ['ip', '192.0.2.256', '192.0.2.256'],
  ['ip', '192.0.2.1/33', '192.0.2.1/33'],
  ['ip', '2001:DB8:0:0::1', '2001:db8::1'],
  ['ip', '2001:DB8::/32', '2001:db8::/32'],
  ['ip', 'example.org', 'example.org'],
  ['ip', 7, 7],
  ['network', '192.0.2.77', '192.0.2.77/32'],
  ['network', '192.0.2.77/24', '192.0.2.0/24'],
  ['network', '192.0.2.77/25', '192.0.2.0/25'],
  ['network', '192.0.2.200/25', '192.0.2.128/25'],
  ['network', '10.1.2.3/0', '0.0.0.0/0'],
  ['network', '2001:db8:1:2:3::/33', '2001:db8::/33'],
  ['network', '2001:db8:ffff::/36', '2001:db8:f000::/36'],
  ['network', '::/0', '::/0'],
  ['network', '::1', '::1/128'],
  ['network', '::ffff:192.0.2.1/128', '::ffff:192.0.2.1/128'],
  ['network', 'any', 'any'],
  ['timestamp', '2026-11-21T06:00:00Z', '2026-11-21T06:00:00Z'],
  ['timestamp', '2026-11-21T07:00:00+01:00', '2026-11-21T06:00:00Z'],
  ['timestamp', '2026-11-21t07:00:00.500+0100', '2026-11-21T06:00:00.5Z'],
  ['timestamp', '2026-11-21 06:00:00.000000 +00:00', '2026-11-21T06:00:00Z'],
  ['timestamp', '2026-11-21T06:00:00.123456789Z', '2026-11-21T06:00:00.123456789Z'],
  ['timestamp', '2025-12-31T23:30:00-01:00', '2026-01-01T00:30:00Z'],
  ['timestamp', '2026-12-31T23:59:60Z', '2026-12-31T23:59:60Z'],
  ['timestamp', '2026-02-30T00:00:00Z', '2026-02-30T00:00:00Z'],
  ['timestamp', '2026-11-21T24:00:00Z', '2026-11-21T24:00:00Z'],
  ['timestamp', '2026-11-21T06:00:00', '2026-11-21T06:00:00'],
  ['timestamp', 'yesterday', 'yesterday'],
  ['duration', '1h30m', 5400],
  ['duration', 'PT1H30M', 5400],
  ['duration', 'P1DT12H', 129_600],
  ['duration', 'P2W', 1_209_600],
  ['duration', '90', 90],
  ['duration', 90, 90],
  ['duration', '1.5h', 5400],
  ['duration', '300ms', 0.3],
  ['duration', '1500µs', 0.0015],
  ['duration', '-2m', -120],
  ['duration', 'PT0.1S', 0.1],
  ['duration', '0s', 0],
  // A month has no fixed length, and neither has nothing.
  ['duration', 'P1M', 'P1M'],
  ['duration', 'P', 'P'],
  ['duration', 'PT', 'PT'],
  ['duration', 'P1DT', 'P1DT'],
  ['duration', 'soon', 'soon'],
  ['json', '{"b": 1, "a": [1, 2.0]}', '{"a":[1,2],"b":1}'],
  ['json', ' "x" ', '"x"'],
  ['json', '{"id": 9007199254740993}', '{"id":9007199254740993}'],
  ['json', '{"a":', '{"a":'],
  ['json', { b: 1 }, { b: 1 }],
  ['htmlText', '<p>Hello <b>you</b></p>', 'Hello you'],
  ['htmlText', 'a &amp; b &#x3c; c', 'a &amp; b &lt; c'],
  ['htmlText', 'a & b < c', 'a &amp; b &lt; c'],
  ['htmlText', '<p>one</p><p>two</p>', 'one two'],
  ['htmlText', '<script>alert(1)</script>hi<!-- x -->', 'hi'],
  ['htmlText', '&lt;b&gt;', '&lt;b&gt;'],
  ['htmlText', 'a&nbsp; b', 'a b'],
]

describe('the canonical form', () => {
  it.each(cases)('by %s of %j is %j', (name, value, wanted) => {
    expect(applyNormalisers(value as never, [name])).toEqual(wanted)
  })

  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.ipV4().chain((ip) => fc.nat(32).map((prefix) => `${ip}/${prefix}`)),
    fc.ipV6().chain((ip) => fc.nat(128).map((prefix) => `${ip}/${prefix}`)),
    fc
      .date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2200-01-01') })
      .map((date) => date.toISOString()),
    fc
      .array(fc.constantFrom('<', '>', '&', 'b', 'amp;', 'lt;', '/', '!', '--', ' ', '"'), { maxLength: 12 })
      .map((all) => all.join('')),
    fc.tuple(fc.nat(99), fc.constantFrom('h', 'm', 's', 'ms')).map((parts) => parts.join('')),
  )

  it.each(normaliserNames)('by %s does not change when it is made again', (name) => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = applyNormalisers(text, [name])
        expect(applyNormalisers(once, [name])).toEqual(once)
      }),
    )
  })
})
