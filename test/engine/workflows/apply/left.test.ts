import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Apply } from '../../../../core/engine/schema/stored/records.ts'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { narrowPlan } from '../../../../core/engine/workflows/apply/approved/select-targets.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { exitOfApply } from '../../../../functions/cli/terminal/apply-exit.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* An apply ends with 0 only where reading everything again finds everything as configured. */

const workspace = 'left'
let folder = temporaryFolder()
const at = (name: string) => join(folder.path, name)

beforeEach(() => {
  folder = temporaryFolder()
  for (const name of ['a', 'b', 'c']) writeFileSync(at(name), 'right', { mode: 0o644 })
})
afterEach(() => folder.remove())

/** Three files; `lost` are those whose writes are answered and not done. */
const applied = async (
  prepare: () => void,
  targets: readonly string[],
  given: { lost?: string; meanwhile?: () => void } = {},
) => {
  const bundle = yaml(
    [
      `workspace: ${workspace}`,
      `providers: { host: { source: host, with: { root: ${JSON.stringify(folder.path)} } } }`,
      'resources:',
      ...['a', 'b', 'c'].map(
        (name) => `  - { type: host_file, name: ${name}, spec: { path: ${name}, content: right, mode: "0644" } }`,
      ),
    ].join('\n'),
  )
  const { deps } = testDeps({
    bundle,
    wire: (inner) => ({
      send: async (request, signal) => {
        if (request.method === 'GET') return inner.send(request, signal)
        if (given.lost !== undefined && request.url.endsWith(given.lost))
          return { status: 204, headers: {}, body: null }
        const answer = await inner.send(request, signal)
        given.meanwhile?.()
        return answer
      },
    }),
  })
  prepare()
  const { plan } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
  const asked = {
    workspace,
    mode: 'execute',
    digest: plan === undefined ? '' : narrowPlan(plan, { targets }).digests.commands,
    reason: 'tidy',
    actor,
    targets,
  } as const
  const { id } = await requestApply(asked, deps)
  const apply = await runApply({ workspace, applyId: id }, deps)
  const entries = await Array.fromAsync(readLedger(deps.store, workspace))
  return { apply, last: entries.at(-1) }
}

const spoil = (...names: readonly string[]) => {
  for (const name of names) writeFileSync(at(name), 'wrong')
}
const hide = (name: string) => {
  rmSync(at(name))
  symlinkSync('/etc/hostname', at(name))
}
const file = (name: string) => `host_file.${name}`
const left = (name: string, more: object) => ({ address: file(name), touched: false, paths: [], ...more })

interface Case {
  readonly prepare: () => void
  readonly targets?: readonly string[]
  readonly lost?: string
  readonly meanwhile?: () => void
  readonly status: Apply['status']
  readonly left?: readonly object[]
  readonly exit: number
}

const cases: Readonly<Record<string, Case>> = {
  'everything is as configured': { prepare: () => spoil('a'), status: 'succeeded', exit: 0 },
  'another one was not asked for, and differs': {
    prepare: () => spoil('a', 'b'),
    targets: [file('a')],
    status: 'succeeded',
    left: [left('b', { kind: 'differs', paths: ['content'] })],
    exit: 2,
  },
  'another one was changed meanwhile': {
    prepare: () => spoil('a'),
    meanwhile: () => {
      rmSync(at('c'))
      chmodSync(at('b'), 0o600)
    },
    status: 'succeeded',
    left: [
      left('b', { kind: 'differs', paths: ['mode'] }),
      left('c', { kind: 'differs', detail: 'it does not exist' }),
    ],
    exit: 2,
  },
  'another one cannot be read': {
    prepare: () => {
      spoil('a')
      hide('b')
    },
    status: 'succeeded',
    left: [left('b', { kind: 'unchecked', detail: expect.stringMatching(/^unsupported: /) })],
    exit: 3,
  },
  'its own did not take': {
    prepare: () => {
      spoil('a')
      chmodSync(at('a'), 0o600)
    },
    lost: 'a',
    status: 'not_converged',
    left: [{ address: file('a'), kind: 'differs', touched: true, paths: ['content', 'mode'] }],
    exit: 3,
  },
  'its own cannot be read any more': {
    prepare: () => spoil('a'),
    meanwhile: () => hide('a'),
    status: 'not_converged',
    left: [left('a', { kind: 'unchecked', touched: true, detail: expect.stringMatching(/^unsupported: /) })],
    exit: 3,
  },
  'its own did not take, and another one was not asked for': {
    prepare: () => spoil('a', 'b'),
    targets: [file('a')],
    lost: 'a',
    status: 'not_converged',
    left: [
      { address: file('a'), kind: 'differs', touched: true, paths: ['content'] },
      left('b', { kind: 'differs', paths: ['content'] }),
    ],
    exit: 3,
  },
}

describe('the answer of an apply', () => {
  it.each(Object.entries(cases))(
    'names what still differs: %s',
    async (_, { prepare, targets = [], status, left: expected, exit, ...given }) => {
      const { apply, last } = await applied(prepare, targets, given)
      expect(apply).toMatchObject({ status })
      expect(apply.left).toEqual(expected)
      expect(exitOfApply(apply, false)).toBe(exit)
      expect(last?.kind).toBe('finished')
      const told = (apply.left ?? []).filter(({ touched }) => touched || status === 'succeeded')
      for (const { address } of told) expect(apply.error?.message ?? last?.detail).toContain(address)
    },
  )

  it('names the attributes that did not converge, and why one of them cannot be read', async () => {
    const { apply } = await applied(() => spoil('a'), [], { lost: 'a' })
    expect(apply.error).toMatchObject({
      code: 'NOT_CONVERGED',
      message: 'all commands succeeded, but these resources are not as configured: host_file.a (content)',
    })
  })
})
