import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { long } from '../../builders/long.ts'
import { runCommand, startCommand, tearoom } from '../../builders/workspaces/command.ts'

const open = async () => {
  const room = await tearoom()
  const motd = join(room.folder, 'machine', 'motd')
  const before = 'former\n'
  await writeFile(motd, before)
  return { ...room, motd, before }
}

describe.each(['on this machine', 'at an endpoint'])('plumbline undo %s', (where) => {
  let room: Awaited<ReturnType<typeof open>>
  let dev: Awaited<ReturnType<typeof startCommand>> | undefined
  let variables: Record<string, string> = {}

  beforeAll(async () => {
    room = await open()
    if (where === 'on this machine') return
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

  const json = async (...args: readonly string[]) => {
    const { code, stdout } = await runCommand([...args, '--json'], { folder: room.folder, variables })
    return { code, value: JSON.parse(stdout) }
  }
  const content = () => readFile(room.motd, 'utf8')

  test('shows the way back, sends it after approval, and refuses what cannot be undone', long, async () => {
    const applied = await json('apply', '--yes')
    expect(applied.value).toMatchObject({ status: 'succeeded' })
    const { id } = applied.value
    const after = await content()
    expect(after).not.toBe(room.before)

    const shown = await json('undo', id)
    expect(shown).toMatchObject({ code: 2, value: { plumbline: { undoes: id } } })
    expect(await content()).toBe(after)
    expect(await json('undo', id, '--check')).toMatchObject({ value: { mode: 'check', status: 'succeeded' } })
    expect(await content()).toBe(after)

    const undone = await json('undo', id, '--yes', '--reason', 'it was wrong')
    expect(undone.value).toMatchObject({ status: 'succeeded', undoes: id, reason: 'it was wrong' })
    expect(await content()).toBe(room.before)
    expect(await json('undo', undone.value.id, '--yes')).toMatchObject({
      code: 1,
      value: { error: { code: 'UNDO_IMPOSSIBLE' } },
    })
    expect((await json('check')).code).toBe(2)
  })

  test('leaves alone what somebody has changed since, and says what', async () => {
    const { id } = (await json('apply', '--yes')).value
    await writeFile(room.motd, 'by hand\n')
    const { stdout } = await runCommand(['undo', id, '--check'], { folder: room.folder, variables })
    const { stderr } = await runCommand(['undo', id, '--yes'], { folder: room.folder, variables })
    expect(`${stdout}${stderr}`).toContain('it has moved since the apply: content')
    expect(stdout).toContain('host_file.motd')
    expect(stdout).not.toMatch(/pending|drift|conflict/)
    expect(await content()).toBe('by hand\n')
  })
})
