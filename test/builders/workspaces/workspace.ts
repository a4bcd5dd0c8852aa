import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Bundle } from '../../../core/engine/schema/stored/bundle.ts'
import type { Alert } from '../../../core/engine/schema/stored/findings.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import { openDeadline } from '../../../core/engine/transport/limits/deadline.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import type { CheckMessage, Deps, Progress, Queue, Warning } from '../../../core/engine/workflows/deps.ts'
import { loadProviders } from '../../../core/providers/load-providers.ts'
import { sources } from '../../../core/sources/index.ts'
import { createCipher } from '../../../functions/adapters/cipher.ts'
import { createIds } from '../../../functions/adapters/ids.ts'
import { createSeal } from '../../../functions/adapters/seal.ts'
import { sealBox } from '../../../functions/adapters/seal-box.ts'
import { signJwt } from '../../../functions/adapters/sign-jwt.ts'
import { execOn } from '../../../functions/adapters/transport/exec/exec.ts'
import { createTransport } from '../../../functions/adapters/transport/index.ts'

export const actor = { subject: 'local:test', via: 'cli' } as const

/** A clock that the test moves; a sleep moves it too, so that nothing waits. Only its wall time can be set back. */
export const movableClock = (start = '2026-11-21T06:00:00.000Z') => {
  let now = Date.parse(start)
  let passed = 0
  const alarms = new Set<{ readonly at: number; readonly ring: () => void }>()
  const forward = (milliseconds: number): void => {
    now += milliseconds
    passed += Math.max(0, milliseconds)
    for (const alarm of [...alarms].filter(({ at }) => at <= passed)) {
      if (alarms.delete(alarm)) alarm.ring()
    }
  }
  return {
    now: () => new Date(now),
    monotonic: () => passed,
    // A lease is renewed in the background: that sleeper must not run the clock ahead.
    sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      if (milliseconds <= 5_000) return forward(milliseconds)
      await new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))))
    },
    after: (milliseconds: number, ring: () => void) => {
      const alarm = { at: passed + milliseconds, ring }
      alarms.add(alarm)
      return () => void alarms.delete(alarm)
    },
    forward,
  }
}

/** Everything a workflow needs: a memory store, real transports, and lists of what went out. */
export const testDeps = (
  changes: Partial<Deps> & { readonly bundle?: Bundle; readonly wire?: (inner: Transport) => Transport } = {},
) => {
  const clock = movableClock()
  const alerts: Alert[] = []
  const warnings: Warning[] = []
  const queued: { check: CheckMessage[]; apply: Parameters<Queue['apply']>[0][] } = {
    check: [],
    apply: [],
  }
  const progress: Progress[] = []
  const secrets: Record<string, string> = {}
  const { bundle, wire = (inner: Transport) => inner, ...rest } = changes
  const time = changes.clock ?? clock
  const current = { bundle: bundle ?? { entry: 'plumbline.yaml', files: {} } }
  const deps: Deps = {
    store: memoryStore(time),
    config: { load: async () => current.bundle },
    providers: loadProviders,
    sources,
    transport: (confines) => wire(createTransport({ exec: execOn(process.env['PATH'] ?? '') })(confines)),
    secrets: {
      resolve: async (source) => {
        const value = secrets[source]
        if (value === undefined) throw new AppError('SECRET_UNRESOLVED', { source, detail: 'it is not set' })
        return value
      },
    },
    seal: createSeal('a key for tests only'),
    cipher: createCipher(createSeal('a key for tests only')),
    signJwt,
    sealBox,
    alerts: { publish: async (alert) => void alerts.push(alert) },
    queue: {
      checks: async (messages) => {
        queued.check.push(...messages)
        return []
      },
      apply: async (message) => void queued.apply.push(message),
    },
    clock,
    ids: createIds(time),
    limits: { concurrency: 4, leaseMs: 30_000 },
    warn: (warning) => void warnings.push(warning),
    progress: (event) => void progress.push(event),
    ...rest,
  }
  return { deps, clock, alerts, warnings, queued, progress, secrets, current }
}

/** A worker that has done so much that it hands over in `ms`. */
export const handingOverIn = (ms: number, deps: Deps): Deps => {
  const whole = openDeadline('this worker', 900_000, deps.clock)
  const left = (): number => Math.max(0, whole.left() - (900_000 - 40_000 - ms))
  return { ...deps, deadline: { ...whole, left } }
}

export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'plumbline-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export const yaml = (text: string, files: Record<string, string> = {}): Bundle => ({
  entry: 'plumbline.yaml',
  files: { 'plumbline.yaml': text, ...files },
})
