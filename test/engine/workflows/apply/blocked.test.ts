import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Apply } from '../../../../core/engine/schema/stored/records.ts'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { listEpisodes } from '../../../../core/engine/state/outbox.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { applyAnswer } from '../../../../functions/api/routes/request-apply.ts'
import { exitOfApply } from '../../../../functions/cli/terminal/apply-exit.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* What is blocked is said wherever an apply is told: its status, its outcomes, its exit code, its answer, its ledger. */

const workspace = 'blocked'
let folder = temporaryFolder()
const at = (name: string) => join(folder.path, name)

beforeEach(() => {
  folder = temporaryFolder()
  for (const name of ['a', 'b']) writeFileSync(at(name), 'right', { mode: 0o644 })
})
afterEach(() => folder.remove())

const locked = '{ preventDestroy: true }'
const leaving = (name: string) =>
  `  - { type: host_file, name: ${name}, absent: true, spec: { path: ${name} }, lifecycle: ${locked} }`
const staying = (name: string) =>
  `  - { type: host_file, name: ${name}, spec: { path: ${name}, content: right, mode: "0644" } }`

const applied = async (resources: readonly string[], prepare: () => void, mode: Apply['mode']) => {
  const provider = `providers: { host: { source: host, with: { root: ${JSON.stringify(folder.path)} } } }`
  const { deps } = testDeps({
    bundle: yaml([`workspace: ${workspace}`, provider, 'resources:', ...resources].join('\n')),
  })
  prepare()
  const { plan } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
  const digest = plan?.digests.commands ?? ''
  const { id } = await requestApply({ workspace, mode, digest, reason: 'tidy', actor }, deps)
  const apply = await runApply({ workspace, applyId: id }, deps)
  const entries = await Array.fromAsync(readLedger(deps.store, workspace))
  const verdict = await verifyLedger({ workspace }, deps)
  return { apply, entries, verdict, episodes: await listEpisodes(deps.store, workspace) }
}

const outcome = (name: string) => ({
  command: `host_file.${name}`,
  status: 'blocked',
  detail: expect.stringMatching(/^prevent_destroy: /),
})

interface Case {
  readonly resources: readonly string[]
  readonly prepare?: () => void
  readonly blocked: readonly string[]
  readonly status: Record<Apply['mode'], Apply['status']>
  readonly exit: Record<Apply['mode'], number>
  readonly http: Record<Apply['mode'], number>
  readonly code?: string
}

const cases: Readonly<Record<string, Case>> = {
  'every change is blocked': {
    resources: [leaving('a'), leaving('b')],
    blocked: ['b', 'a'],
    status: { check: 'refused', execute: 'refused' },
    exit: { check: 1, execute: 1 },
    http: { check: 409, execute: 409 },
    code: 'ALL_BLOCKED',
  },
  'one is blocked beside one that is done': {
    resources: [leaving('a'), staying('b')],
    prepare: () => rmSync(at('b')),
    blocked: ['a'],
    status: { check: 'succeeded', execute: 'succeeded' },
    exit: { check: 0, execute: 2 },
    http: { check: 200, execute: 200 },
  },
  'there is nothing to change': {
    resources: [staying('a'), staying('b')],
    blocked: [],
    status: { check: 'succeeded', execute: 'succeeded' },
    exit: { check: 0, execute: 0 },
    http: { check: 200, execute: 200 },
  },
}

describe.each(['check', 'execute'] as const)('an apply in mode %s', (mode) => {
  it.each(Object.entries(cases))(
    'ends with the status that its blocked changes demand: %s',
    async (_, { resources, prepare = () => {}, blocked, code, ...told }) => {
      const { apply, entries, verdict, episodes } = await applied(resources, prepare, mode)
      expect(apply.status).toBe(told.status[mode])
      expect(apply.error?.code).toBe(code)
      expect(apply.outcomes.filter(({ status }) => status === 'blocked')).toEqual(blocked.map(outcome))
      expect(exitOfApply(apply, false)).toBe(told.exit[mode])
      expect(applyAnswer(apply, '/v1', 'r').status).toBe(told.http[mode])
      expect(entries.filter(({ kind }) => kind === 'blocked').map((entry) => entry.outcome)).toEqual(
        blocked.map(outcome),
      )
      expect(entries.at(-1)).toMatchObject(
        code === undefined ? { kind: 'finished' } : { kind: 'refused', detail: apply.error?.message },
      )
      for (const name of code === undefined ? [] : blocked) expect(apply.error?.message).toContain(`host_file.${name}`)
      expect(verdict.ok).toBe(true)
      expect(episodes.some(({ status }) => status === 'open')).toBe(blocked.length > 0)
    },
  )
})
