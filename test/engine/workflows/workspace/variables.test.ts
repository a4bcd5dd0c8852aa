import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { storeSource } from '../../../../functions/adapters/store-source.ts'
import { actor, testDeps } from '../../../builders/workspaces/workspace.ts'

/* What was pushed is all that a deployed detector has: the files of modules, and the given values. */

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbline-pushed-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const files = (): Record<string, string> => ({
  'plumbline.yaml': `workspace: pushed
variables: { text: { type: string }, names: { type: list } }
providers: { host: { source: host, with: { root: ${root} } } }
include: ["parts/*.yaml"]
`,
  'parts/all.yaml':
    'modules: [{ name: m, source: ../m, forEach: "${var.names}", with: { name: "${each.key}", text: "${var.text}" } }]\n',
  'm/module.yaml': `parameters: { name: { type: string }, text: { type: string } }
resources: [{ type: host_file, name: f, spec: { path: "\${var.name}", content: "\${var.text}" } }]
`,
})

test('a check of the stored workspace uses the stored values, and the run has their digest', async () => {
  const world = testDeps()
  const deps = { ...world.deps, config: storeSource(world.deps.store) }
  const pushed = async (variables: Record<string, string | readonly string[]>) => {
    const bundle = { entry: 'plumbline.yaml', files: files(), variables }
    const { configurationDigest } = await putWorkspace({ bundle, actor }, deps)
    const { plan, run } = await checkWorkspace({ workspace: 'pushed', trigger: 'cli', actor }, deps)
    expect(run.configurationDigest).toBe(configurationDigest)
    return { digest: configurationDigest, planned: plan?.changes.map(({ address, after }) => [address, after]) }
  }
  const one = await pushed({ text: 'hello', names: ['a'] })
  expect(one.planned).toEqual([['module.m["a"].host_file.f', expect.objectContaining({ path: 'a', content: 'hello' })]])
  const other = await pushed({ text: 'other', names: ['a', 'b'] })
  expect(other.planned?.map(([address]) => address)).toEqual(['module.m["a"].host_file.f', 'module.m["b"].host_file.f'])
  expect(other.digest).not.toBe(one.digest)
  expect((await pushed({ names: ['a'], text: 'hello' })).digest).toBe(one.digest)
  await expect(pushed({ text: 'hello' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  expect(() => readFileSync(join(root, 'a'))).toThrow()
})
