import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lawCases } from '../../builders/laws.ts'
import { canary, document, type Echo, header, listenerOf, places } from '../../builders/servers/echo-places.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'
import { runCommand } from '../../builders/workspaces/command.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

/* What a process writes to its terminal, to a pipe and to its own folder, whatever the server says. */

const configure = async (folder: string, url: string, echo: Echo): Promise<void> => {
  const api = { source: 'rest', definition: './a.provider.yaml', with: { baseUrl: url, key: { secret: 'env:KEY' } } }
  const host = { source: 'host', with: { root: folder } }
  const file = { type: 'host_file', name: 'motd', spec: { path: 'motd', content: 'tea' } }
  const resources = [
    { type: 'api_thing', name: 'a', spec: { name: 'a', size: 2 } },
    ...(echo.file === undefined ? [] : [file]),
  ]
  const workspace = { workspace: 'things', unmanaged: 'report', providers: { api, host }, resources }
  await writeFile(join(folder, 'plumbline.yaml'), JSON.stringify(workspace))
  await writeFile(join(folder, 'a.provider.yaml'), document)
  if (echo.file !== undefined) await writeFile(join(folder, 'motd'), echo.file(canary))
}

/** Every byte that the process kept. */
const keptIn = async (folder: string): Promise<string> => {
  const found = await readdir(join(folder, '.plumbline'), { recursive: true, withFileTypes: true })
  const files = found.filter((each) => each.isFile()).map(({ parentPath, name }) => readFile(join(parentPath, name)))
  return (await Promise.all(files)).map((bytes) => bytes.toString('utf8')).join('\n')
}

it.each(lawCases(Object.entries(places), 5))(
  'a process prints no secret that a server repeats: %s',
  async (_, echo) => {
    await using server = await aLoopback(listenerOf(echo, canary))
    const folder = temporaryFolder()
    try {
      await configure(folder.path, server.url, echo)
      const ended = []
      for (const args of [['check', '--json'], ['apply', '--yes'], ['check']]) {
        ended.push(await runCommand(args, { folder: folder.path, variables: { KEY: canary } }))
      }
      const said = ended.map(({ stdout, stderr }) => `${stdout}\n${stderr}`)
      for (const each of said) expect(each).toMatch(/\S/)
      const out = [...said, await keptIn(folder.path)].join('\n')
      for (const form of [canary, header(canary), JSON.stringify(canary).slice(1, -1)]) expect(out).not.toContain(form)
      expect(server.seen.some(({ headers }) => headers.authorization !== undefined)).toBe(true)
    } finally {
      folder.remove()
    }
  },
  120_000,
)
