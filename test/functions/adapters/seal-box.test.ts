import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sealBox } from '../../../functions/adapters/seal-box.ts'
import { lawRuns } from '../../builders/laws.ts'
import { openSealedBox } from '../../github/state/sealed-box.ts'

const newKeys = () => {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return {
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
    privateKey: Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'),
  }
}

it('the owner of the key reads every text, and no two boxes are equal', async () => {
  const { publicKey, privateKey } = newKeys()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (text) => {
      fc.pre(text.isWellFormed())
      const [first, second] = [await sealBox(text, publicKey), await sealBox(text, publicKey)]
      expect(openSealedBox(first ?? Buffer.alloc(0), publicKey, privateKey)).toBe(text)
      expect(first).not.toEqual(second)
    }),
    lawRuns(30),
  )
})

it.each([
  ['too short', Buffer.alloc(31, 9)],
  ['too long', Buffer.alloc(33, 9)],
  ['one that gives everybody the same secret', Buffer.alloc(32)],
])('a key that is %s encrypts nothing', async (_, key) => {
  expect(await sealBox('a value', key)).toBe(undefined)
})
