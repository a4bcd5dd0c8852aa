import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeDocuments } from '../../../functions/adapters/files/change-documents.ts'
import { runCommand, tearoom } from '../../builders/workspaces/command.ts'

let room: Awaited<ReturnType<typeof tearoom>>
const run = (...args: readonly string[]) => runCommand(args, { folder: room.folder })
const configuration = () => join(room.folder, 'plumbline.yaml')
const motd = () => join(room.folder, 'machine', 'motd')

beforeAll(async () => {
  room = await tearoom()
  await run('check')
  await run('apply', '--yes')
  await chmod(configuration(), 0o640)
  await writeFile(motd(), 'Welcome to the tea house.\nThe kettle is on from half past three.\n')
})
afterAll(() => room.remove())

const diff = `--- a/plumbline.yaml
+++ b/plumbline.yaml
@@ -14,7 +14,7 @@
     spec:
       path: motd
       content: |
-        Welcome to the tea room.
+        Welcome to the tea house.
         The kettle is on from \${var.open}.
\u0020
   - type: host_file
`

describe('accept', () => {
  test('shows the diff, writes nothing and exits with 2 where nobody can be asked', async () => {
    const before = await readFile(configuration(), 'utf8')
    for (const words of [['host_file.motd'], ['host_file.motd', 'content', '--check'], ['--all']]) {
      const { code, stdout, stderr } = await run('accept', ...words)
      expect([code, stdout]).toEqual([2, diff])
      expect(stderr.split('\n').filter((line) => line !== '')).toEqual([
        'can be accepted  host_file.motd content  plumbline.yaml:16',
        '1 difference can be accepted, 0 refused',
        words.includes('--check')
          ? 'nothing was written'
          : 'nothing was written: there is no terminal to ask at; pass --yes to write it',
      ])
    }
    expect(await readFile(configuration(), 'utf8')).toBe(before)
  })

  test('answers JSON', async () => {
    const { code, stdout, stderr } = await run('accept', '--all', '--json')
    expect([code, stderr]).toEqual([2, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      workspace: 'tea-room',
      accepted: [{ address: 'host_file.motd', path: 'content', position: { file: 'plumbline.yaml', line: 16 } }],
      files: [{ file: 'plumbline.yaml', diff }],
      written: false,
    })
  })

  test('writes exactly that with --yes, keeps the mode of the file, and the workspace is in sync', async () => {
    const before = await readFile(configuration(), 'utf8')
    const { code, stdout, stderr } = await run('accept', 'host_file.motd', '--yes')
    expect([code, stdout]).toEqual([0, diff])
    expect(stderr).toContain('accepted  host_file.motd content  plumbline.yaml:16\n1 difference accepted, 0 refused\n')
    expect(stderr).toContain('written to plumbline.yaml')
    expect(await readFile(configuration(), 'utf8')).toBe(before.replace('tea room.', 'tea house.'))
    expect((await stat(configuration())).mode & 0o777).toBe(0o640)
    expect((await run('check')).code).toBe(0)
    const again = await run('accept', 'host_file.motd')
    expect([again.code, again.stdout]).toEqual([0, ''])
    expect(again.stderr).toContain('nothing to accept')
  })

  test('exits with 1 where nothing can be accepted, and with 3 where only a part can', async () => {
    await writeFile(join(room.folder, 'machine', 'etc', 'app.ini'), 'other\n')
    const one = await run('accept', 'host_file.app', '--yes')
    expect([one.code, one.stdout]).toEqual([1, ''])
    expect(one.stderr).toContain('refused  host_file.app content: the spec does not contain its value as such')
    await writeFile(motd(), 'x\n')
    const all = await run('accept', '--all', '--yes')
    expect(all.code).toBe(1)
    await writeFile(motd(), 'Welcome.\nThe kettle is on from half past three.\n')
    expect((await run('accept', '--all', '--check')).code).toBe(3)
  })

  test.each([
    [[], 'name the address'],
    [['--all', 'host_file.motd'], 'not both'],
    [['host_file.motd', '--check', '--yes'], 'not both'],
    [['host_file.modt'], 'did you mean "host_file.motd"'],
    [['host_file.motd', 'mode'], 'no difference at mode'],
    [['host_file.motd', '--endpoint', 'http://127.0.0.1:1'], 'remove --endpoint'],
  ])('refuses %j', async (words, message) => {
    const { code, stdout, stderr } = await run('accept', ...words)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(message)
  })

  test('leaves a file alone that changed since it was read, and the other files too', async () => {
    const [one, two] = [join(room.folder, 'one.yaml'), join(room.folder, 'two.yaml')]
    await writeFile(one, 'a: 1\n')
    await writeFile(two, 'a: 2\n')
    const changes = [
      { path: one, before: 'a: 1\n', after: 'a: 3\n' },
      { path: two, before: 'a: 1\n', after: 'a: 3\n' },
    ]
    await expect(changeDocuments(changes)).rejects.toMatchObject({ code: 'FILE_REFUSED' })
    expect(await readFile(one, 'utf8')).toBe('a: 1\n')
    await changeDocuments(changes.slice(0, 1))
    expect(await readFile(one, 'utf8')).toBe('a: 3\n')
  })
})
