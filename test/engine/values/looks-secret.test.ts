import { expect, it } from 'vitest'
import { looksSecret } from '../../../core/engine/values/texts/looks-secret.ts'

it.each<[string, string]>([
  ['GITHUB_TOKEN', 'x'],
  ['token', ''],
  ['DB_PASSWORD', 'x'],
  ['AWS_SECRET_ACCESS_KEY', 'x'],
  ['AWS_ACCESS_KEY_ID', 'x'],
  ['OPENAI_API_KEY', 'x'],
  ['NPM_AUTH', 'x'],
  ['http.https://git.example.org/.extraheader', 'AUTHORIZATION: bearer x'],
  ['credential_process', 'x'],
  ['DATABASE_URL', 'postgres://me:pw@db.example.org/shop'],
  ['remote.origin.url', 'https://x:abc@git.example.org/a.git'],
])('%s=%s is taken for a secret', (name, value) => {
  expect(looksSecret(name, value)).toBe(true)
})

it.each<[string, string]>([
  ['PATH', '$HOME/bin:$PATH'],
  ['EDITOR', 'vim'],
  ['user.email', 'me@example.org'],
  ['user.signingkeyfile', '/home/me/key.pub'],
  ['AUTHOR', 'me'],
  ['KEYBOARD', 'de'],
  ['PATTERN', 'x'],
  ['HTTPS_PROXY', 'http://proxy.example.org:3128'],
  ['URL', 'https://me@example.org/a:b'],
])('%s=%s is not taken for a secret', (name, value) => {
  expect(looksSecret(name, value)).toBe(false)
})
