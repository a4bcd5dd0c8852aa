import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { freePort } from '../servers/run-server.ts'
import { administer, type Installed, script } from './installed.ts'

/*
 * Starts the real Waldur before all files and ends it after them. WALDUR_TARGET names a folder where it is installed
 * already, or shall stay; without it, it is installed in a folder of its own that goes in the end.
 */

declare module 'vitest' {
  interface ProvidedContext {
    waldur: Installed
  }
}

/**
 * Holds its end of a pipe: when the tests end in whatever way, the pipe closes, and Waldur ends with its data base. What is
 * still left there of a run before ends first.
 */
const guard = `
script=$1 folder=$2 kept=$3
[ ! -d "$folder/pg" ] || bash "$script" down >/dev/null 2>&1
start() { bash "$script" "$1" >"$folder/up.log" 2>&1 </dev/null; }
# A run that was ended in the middle of a reset left no data base.
if start up || { [ -n "$kept" ] && start reset; }; then echo up; cat >/dev/null; else tail -n 20 "$folder/up.log" >&2; fi
bash "$script" down
[ -n "$kept" ] || rm -rf "$folder"
`

/**
 * The tokens of the seed are as old as the seed, and the script waits until one is taken: they get new in both data bases as
 * soon as the second one, a copy of the first, is there.
 */
const renewTokens = async (installed: Installed, signal: AbortSignal): Promise<void> => {
  const named = "select datname from pg_database where datname in ('waldur', 'waldur_template')"
  const seeded = () => administer(installed, named, 'postgres').then((names) => names.split('\n'))
  let bases: readonly string[] = []
  while (!bases.includes('waldur_template')) {
    if (signal.aborted) return
    await pause(500)
    bases = await seeded().catch(() => [])
  }
  for (const base of bases) {
    await administer(installed, 'update core_user set token_lifetime = null', base)
    await administer(installed, 'update authtoken_token set created = now()', base)
  }
}

let finish: () => Promise<void> = async () => undefined

export const teardown = (): Promise<void> => finish()

export const setup = async ({ provide }: TestProject): Promise<void> => {
  if (!existsSync(script)) throw new Error(`${script} is missing: it starts the Waldur that these tests are about`)
  const kept = process.env['WALDUR_TARGET']
  const folder = resolve(kept ?? mkdtempSync(join(tmpdir(), 'plumbline-waldur-')))
  mkdirSync(join(folder, 'conf'), { recursive: true })
  cpSync(join(import.meta.dirname, 'cloud'), join(folder, 'conf'), { recursive: true })
  const [port, dataPort, queuePort] = [await freePort(), await freePort(), await freePort()]
  const installed: Installed = {
    folder,
    baseUrl: `http://127.0.0.1:${port}`,
    dataPort,
    env: { T: folder, PORT: String(port), PGPORT: String(dataPort), REDIS_PORT: String(queuePort) },
  }
  const child = spawn('bash', ['-c', guard, 'guard', script, folder, kept ?? ''], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...installed.env },
  })
  const ended = once(child, 'exit')
  finish = async () => {
    child.stdin.end()
    await ended
  }
  const up = once(createInterface(child.stdout), 'line')
  const stop = new AbortController()
  const renewed = renewTokens(installed, stop.signal)
  const isUp = await Promise.race([up.then(() => true), ended.then(() => false)])
  stop.abort()
  await renewed
  if (!isUp) throw new Error('Waldur did not start; above is the end of what it said')
  provide('waldur', installed)
}
