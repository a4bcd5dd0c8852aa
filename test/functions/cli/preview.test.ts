import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previewNames } from '../../../core/engine/values/preview-names.ts'
import { type Running, runCommand, startCommand, tearoom } from '../../builders/workspaces/command.ts'

/* docs/preview.md at the terminal, here and at an endpoint. */

const branch = 'feature/Login'
const { id, slug } = previewNames('tea-room', branch)

const overlay = `expires: 2d
rename:
  - { address: "host_file.*", attribute: path, to: "\${slug}-\${value}" }
variables:
  open: "\${value}, on \${branch}"
`

describe.each(['on this machine', 'at an endpoint'])('a preview %s', (where) => {
  let room: Awaited<ReturnType<typeof tearoom>>
  let dev: Running | undefined
  let variables: Record<string, string> = {}
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand([...args, '--json'], { folder: room.folder, variables })
    return { code, value: stdout === '' ? undefined : JSON.parse(stdout), stderr }
  }
  const files = async () => (await readdir(join(room.folder, 'machine'))).toSorted()

  beforeAll(async () => {
    room = await tearoom()
    const entry = join(room.folder, 'plumbline.yaml')
    // A configuration at an endpoint has no folder of its own; and the file is at the root, so that no folder must be made.
    const text = (await readFile(entry, 'utf8'))
      .replace('./machine', join(room.folder, 'machine'))
      .replace('etc/app.ini', 'app.ini')
    await writeFile(entry, text)
    await writeFile(join(room.folder, 'plumbline.preview.yaml'), overlay)
    if (where !== 'at an endpoint') return
    dev = await startCommand(['dev', '--port', '0', '--every', '0'], { folder: room.folder })
    const [, token = ''] = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
    const [, url = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
    variables = { PLUMBLINE_ENDPOINT: url, PLUMBLINE_TOKEN: token }
  })
  afterAll(async () => {
    dev?.child.kill('SIGTERM')
    await dev?.ended
    await room.remove()
  })

  it('is refused without its workspace', async () => {
    if (dev === undefined) {
      const { code, value } = await run('preview', '--branch', branch)
      expect([code, value.error.code]).toEqual([1, 'PREVIEW_REFUSED'])
    }
    expect((await run('workspace', 'push', '--yes')).code).toBe(0)
    expect((await run('apply', '--yes')).code).toBe(0)
  })

  it('is stored and shown, and applied by its name', async () => {
    const before = await files()
    const shown = await run('preview', '--branch', branch, '--yes')
    expect(shown).toMatchObject({ code: 2, value: { plumbline: { run: { workspace: id } } } })
    expect(shown.stderr).toMatch(`${id} expires `)
    expect(await files()).toEqual(before)
    expect(await run('apply', id, '--yes')).toMatchObject({ code: 0, value: { status: 'succeeded' } })
    expect(await files()).toEqual([...before, `${slug}-app.ini`, `${slug}-motd`].toSorted())
    expect(await readFile(join(room.folder, 'machine', `${slug}-motd`), 'utf8')).toContain(`on ${branch}`)
    expect((await run('check')).code).toBe(0)
  })

  it('keeps the files of its branch', async () => {
    // `dev` would take an edit in the folder of the base for one of the base, at any time later.
    const { folder, remove } = dev === undefined ? { ...room, remove: () => {} } : await tearoom()
    const text = await readFile(join(room.folder, 'plumbline.yaml'), 'utf8')
    await writeFile(join(folder, 'plumbline.yaml'), text.replace('Welcome to', 'Closed:'))
    expect((await runCommand(['check', id, '--json'], { folder, variables })).code).toBe(0)
    await writeFile(join(folder, 'plumbline.yaml'), text)
    await remove()
  })

  it('keeps its base workspace', async () => {
    const { code, value } = await run('workspace', 'remove', 'tea-room', '--reason', 'no longer used')
    expect([code, value.error.code]).toEqual([1, 'WORKSPACE_HAS_PREVIEWS'])
    expect(value.error.message).toContain(`${id} (branch ${branch})`)
    // What is not confirmed is not deleted, and nothing is removed.
    const { code: asked } = await run(
      'workspace',
      'remove',
      'tea-room',
      '--with-previews',
      '--reason',
      'no longer used',
    )
    expect(asked).toBe(2)
    expect(await files()).toContain(`${slug}-motd`)
    expect((await run('preview', 'list')).value.items).toHaveLength(1)
  })

  it('is listed, and destroyed once that is approved', async () => {
    const list = await run('preview', 'list')
    expect(list).toMatchObject({ code: 0, value: { items: [{ id, preview: { base: 'tea-room', branch } }] } })
    const asked = await run('preview', 'destroy', '--branch', branch, '--reason', 'merged')
    expect(asked.code).toBe(2)
    const [, digest = ''] = /--digest (sha256:\w+)/.exec(asked.stderr) ?? []
    expect(await files()).toContain(`${slug}-motd`)
    const gone = await run('preview', 'destroy', '--branch', branch, '--digest', digest, '--reason', 'merged')
    expect(gone).toMatchObject({ code: 0, value: { status: 'succeeded' } })
    expect((await files()).filter((file) => file.startsWith(slug))).toEqual([])
    expect((await run('preview', 'list')).value.items).toEqual([])
    const { items } = (await run('ledger', 'list', id, '-n', '200', '--order', 'oldest')).value
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(['expired', 'removed']))
    expect((await run('check')).code).toBe(0)
  })

  it('is refused for a branch without a preview, and in a command without a branch', async () => {
    expect((await run('preview', 'destroy', '--branch', 'none')).value.error.code).toBe('WORKSPACE_NOT_FOUND')
    expect((await run('preview', 'destroy')).value.error.code).toBe('USAGE')
    expect((await run('preview')).value.error.code).toBe('USAGE')
    for (const nothing of ['', ' ']) expect((await run('preview', '--branch', nothing)).value.error.code).toBe('USAGE')
    expect((await run('preview', '--branch', branch, '--expires', 'soon')).value.error.code).toBe('USAGE')
    const noOverlay = await run('preview', '--branch', branch, '--overlay', 'none.yaml')
    expect(noOverlay.value.error).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching('no overlay none.yaml'),
    })
  })

  it('is removed with its workspace where that is requested', async () => {
    expect((await run('preview', '--branch', branch, '--yes')).code).toBe(2)
    expect((await run('apply', id, '--yes')).code).toBe(0)
    const removed = await run(
      'workspace',
      'remove',
      'tea-room',
      '--with-previews',
      '--yes',
      '--reason',
      'no longer used',
    )
    expect([removed.code, removed.stderr]).toEqual([0, expect.stringContaining(`the preview ${id} is destroyed`)])
    expect((await files()).filter((file) => file.startsWith(slug))).toEqual([])
    expect((await run('preview', 'list', 'tea-room')).value.items ?? []).toEqual([])
  })
})
