import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eachOf } from '../../builders/long.ts'
import { commandFile, runCommand } from '../../builders/workspaces/command.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-full-'))
  await mkdir(join(folder, 'machine'))
  const resources = [{ type: 'host_file', name: 'a', spec: { path: 'a', content: 'b' } }]
  const providers = { host: { source: 'host', with: { root: './machine' } } }
  await writeFile(join(folder, 'plumbline.json'), JSON.stringify({ workspace: 'w', providers, resources }))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

// In blocks of 512 bytes, for each file: the kernel refuses what is beyond, as a full disk does.
eachOf(test, 1)([0, 1, 8, 16, 64, 128])(
  'a store that was created while files ended at %s blocks works later',
  async (blocks) => {
    const words = [
      '-c',
      `ulimit -f ${blocks}; exec "$@"`,
      'sh',
      process.execPath,
      await commandFile(),
      'check',
      '--json',
    ]
    await promisify(execFile)('sh', words, { cwd: folder }).catch(() => {})
    const { code, stdout, stderr } = await runCommand(['check', '--json'], { folder })
    expect([code, stderr.includes('error')]).toEqual([2, false])
    expect(JSON.parse(stdout).plumbline.run.status).toBe('changes')
  },
)
