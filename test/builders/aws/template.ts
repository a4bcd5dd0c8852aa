import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../../infra/create-app.ts'
import { handlers } from '../../../infra/handlers.ts'
import { attachNag } from '../../../infra/nag.ts'
import { readSettings } from '../../../infra/settings.ts'
import { PlumblineStack, stackNameOf } from '../../../infra/stack.ts'

const machines = { 'arn:aws:sts::123456789012:assumed-role/ci/*': 'read check:acme-*' }
export const settings = {
  issuer: 'https://login.acme-corp.com',
  audience: ['plumbline'],
  mail: ['ops@acme.example'],
  machines,
}

/** Handlers that do nothing: what they do is no part of a template. */
const emptyBundle = (): string => {
  const bundle = mkdtempSync(join(tmpdir(), 'plumbline-bundle-'))
  // Every file of the process uses it.
  process.once('exit', () => rmSync(bundle, { recursive: true }))
  for (const name of handlers) {
    mkdirSync(join(bundle, name))
    writeFileSync(join(bundle, name, `${name}.mjs`), 'export const handler = async () => {}')
  }
  return bundle
}

let empty: string | undefined

/** The stack with these settings, with the rules attached that fail a synth. `real`: a folder of handlers, where they count. */
export const synthesiseAnew = (changes: Record<string, unknown> = {}, real?: string) => {
  empty ??= emptyBundle()
  const bundle = real ?? empty
  // What is undefined is not there.
  const plumbline: unknown = JSON.parse(JSON.stringify({ ...settings, ...changes }))
  const app = createApp({ plumbline })
  const read = readSettings(app.node)
  const stack = new PlumblineStack(app, stackNameOf(read), { settings: read, bundle })
  attachNag(app, stack, read.secretNames)
  return { app, stack }
}

const known = new Map<string, ReturnType<typeof synthesiseAnew>>()

/** The same, once for equal settings: several files look at the same template. */
export const synthesise = (...given: Parameters<typeof synthesiseAnew>): ReturnType<typeof synthesiseAnew> => {
  // A setting that is taken away is another template than one that is as it was.
  const key = JSON.stringify(given, (_, value: unknown) => (value === undefined ? 'none' : value))
  const made = known.get(key) ?? synthesiseAnew(...given)
  known.set(key, made)
  return made
}
