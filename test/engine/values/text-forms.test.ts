import { expect, it } from 'vitest'
import { applyNormalisers } from '../../../core/engine/values/normalise/normalisers.ts'
import { suggest } from '../../../core/engine/values/texts/nearest-word.ts'

it.each([
  ['htmlText', '<p>a &#65;&#x42;&nbsp;&lt;b&gt;</p>', 'a AB &lt;b&gt;'],
  ['htmlText', 'a &#0; &#xd800; &unknown;', 'a &#0; &#xd800; &unknown;'],
  ['ip', '10.0.0.1/255.255.255.0', '10.0.0.1/24'],
  ['ip', '10.0.0.1/8/9', '10.0.0.1/8/9'],
  ['ip', '192.0.2.1::1', '192.0.2.1::1'],
  ['network', '10.1.2.3/8', '10.0.0.0/8'],
  ['network', '2001:db8:ffff::1/33', '2001:db8:8000::/33'],
  ['network', '::ffff:192.0.2.1/120', '::ffff:192.0.2.0/120'],
] as const)('%s of %j is %j', (name, text, expected) => {
  const found = applyNormalisers(text, [name])
  expect(typeof found === 'string' ? found.replaceAll('&amp;', '&') : found).toBe(expected)
})

it.each([
  ['nmae', 'did you mean "name"?'],
  ['anem', 'use one of: name'],
  ['nam', 'did you mean "name"?'],
  ['q', 'use one of: name'],
])('for the mistyped word %s the suggestion is: %s', (word, words) => {
  expect(suggest(word, ['name'])).toBe(words)
})
