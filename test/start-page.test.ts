import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from './builders/workspaces/command.ts'

/* The files and the commands of docs/start.md, against the stand-in that it names. */

test('docs/start.md does in its order what it says', async () => {
  const page = await readFile('docs/start.md', 'utf8')
  const [document = '', workspace = ''] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  expect(await readFile('examples/fleet/shared/records.provider.yaml', 'utf8')).toContain(document)
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-start-'))
  const target = spawn(process.execPath, ['examples/fleet/target.mjs'], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [said] = await once(target.stdout, 'data')
    const api = String(said).trim()
    await writeFile(join(folder, 'records.provider.yaml'), document)
    await writeFile(join(folder, 'plumbline.yaml'), workspace)
    const run = async (...args: readonly string[]) => {
      expect(page).toContain(`npx plumbline ${args.filter((word) => word !== '--yes').join(' ')}`)
      return runCommand(args, { folder, variables: { PLUMBLINE_VAR_api: api } })
    }
    expect((await run('validate')).code).toBe(0)
    expect((await run('check')).code).toBe(2)
    expect((await run('apply', '--yes')).code).toBe(0)
    expect((await run('check')).code).toBe(0)
    await fetch(`${api}/records/www.acme.example`, { method: 'PUT', body: '{"address":"203.0.113.66"}' })
    expect(await run('check')).toMatchObject({ code: 2, stdout: expect.stringContaining('# drift') })
    expect((await run('accept', '--all', '--yes')).code).toBe(0)
    expect(await readFile(join(folder, 'plumbline.yaml'), 'utf8')).toContain('203.0.113.66')
    expect((await run('ledger', 'list')).code).toBe(0)
    expect((await run('ledger', 'verify')).code).toBe(0)
  } finally {
    target.kill()
    await rm(folder, { recursive: true, force: true })
  }
})
