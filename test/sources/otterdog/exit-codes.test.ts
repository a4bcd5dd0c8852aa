import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { built, textOf } from '../../builders/otterdog/organisation.ts'
import { runCommand } from '../../builders/workspaces/command.ts'
import { startGitHub } from '../../github/start-github.ts'

/* What the command says to a pipeline about an organisation file. */

let folder: string
let github: Awaited<ReturnType<typeof startGitHub>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-otterdog-'))
  github = await startGitHub()
  const settings = { organization: 'acme', baseUrl: github.url, token: { secret: 'env:GITHUB_TOKEN' } }
  const configuration = {
    workspace: 'acme',
    providers: { github: { source: 'github', with: settings } },
    modules: [{ name: 'acme', source: 'otterdog', with: { file: './acme.json' } }],
  }
  await writeFile(join(folder, 'plumbline.json'), JSON.stringify(configuration))
})
afterAll(async () => {
  await github.close()
  await rm(folder, { recursive: true, force: true })
})

const run = async (organisation: JsonObject, ...args: readonly string[]) => {
  await writeFile(join(folder, 'acme.json'), textOf(organisation))
  return runCommand(args, { folder, variables: { GITHUB_TOKEN: github.token() } })
}

const bare = { project_name: 'acme', github_id: 'acme', settings: {} }
/** As many errors as an exit code of one byte takes for none. */
const invalid = {
  ...bare,
  variables: Array.from({ length: 256 }, (_, index) =>
    built('newOrgVariable', { name: `GITHUB_${index}`, value: 'a' }),
  ),
}
const drifted = { ...bare, settings: { description: 'What we do' } }

it.each(['validate', 'check'])('KB-034: 256 errors are a failure of %s', async (command) => {
  expect((await run(invalid, command)).code).toBe(1)
})

it('KB-001: an apply of an invalid file fails, and sends nothing', async () => {
  github.forget()
  expect((await run(invalid, 'apply', '--yes')).code).toBe(1)
  expect(github.requests).toEqual([])
})

it('KB-011: the exit code says what is different, and that nothing is', long, async () => {
  expect((await run(drifted, 'check')).code).toBe(2)
  expect((await run(drifted, 'apply', '--yes')).code).toBe(0)
  expect((await run(drifted, 'check')).code).toBe(0)
})
