import { expect, test } from 'vitest'
import { asking } from './asking.ts'
import { startGitHub } from './start-github.ts'
import { blake2b, openSealedBox } from './state/sealed-box.ts'

/** Made by libsodium-wrappers 0.7 with the private key 1, 2, 3, ... 32. */
const privateKey = new Uint8Array(32).map((_, at) => at + 1)
const publicKey = Buffer.from('B6N8vBQgk8i3VdwbEOhstCY3StFqqFPtC9/AsrhtHHw=', 'base64')
const box = 'oTOCKS1BEkiWBML24rTYc/XkVJWscQ/k49njRAwG6kUt1cNVUA1RchkRcWOgF/F/O4ad8737YQKd7tHDGk0='

test('the hash of libsodium', () => {
  expect(Buffer.from(blake2b(Buffer.from('abc'), 24)).toString('hex')).toBe(
    '56a17e38cc371a46b12c32f18e0c61de2a84e9c2555b114e',
  )
})

test('a box of libsodium is opened; one that somebody changed, and one for another key, are not', () => {
  const bytes = Buffer.from(box, 'base64')
  expect(openSealedBox(bytes, publicKey, privateKey)).toBe('a secret value')
  expect(openSealedBox(Uint8Array.from(bytes).with(60, 0), publicKey, privateKey)).toBe(undefined)
  expect(openSealedBox(bytes, publicKey, privateKey.with(5, 99))).toBe(undefined)
})

test('a secret that was not sealed for the key of its place is refused, and a test can read what GitHub keeps', async () => {
  await using github = await startGitHub()
  const ask = asking(github, github.token())
  const { key_id } = (await ask('GET', '/orgs/acme/actions/secrets/public-key')).body
  const put = (encrypted_value: string, key: string) =>
    ask('PUT', '/orgs/acme/actions/secrets/TOKEN', { encrypted_value, key_id: key, visibility: 'all' })
  expect((await put(box, key_id)).status).toBe(422)
  Object.assign(github.world.organizations.get('acme')?.vaults.actions ?? {}, { publicKey, privateKey })
  expect((await put(box, 'another')).status).toBe(422)
  expect((await put(box, key_id)).status).toBe(201)
  expect(github.secret('acme', 'token')).toBe('a secret value')
  expect(JSON.stringify((await ask('GET', '/orgs/acme/actions/secrets/TOKEN')).body)).not.toContain('secret value')
})
