import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { BundlePreview } from '../../core/engine/schema/stored/preview.ts'
import { loadWorkspaceLater } from '../../core/engine/workflows/session/load/load-later.ts'
import { readFolder } from '../../functions/adapters/files/config-source.ts'
import { wings } from '../builders/workspaces/wings.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

/* The real command `jsonnet`. */

const folder = temporaryFolder()
afterAll(() => folder.remove())

let count = 0
const load = async (files: Record<string, string>, preview?: BundlePreview) => {
  count += 1
  const root = join(folder.path, String(count))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const bundle = await readFolder(root, undefined, { searched: process.env['PATH'] }, preview)
  return loadWorkspaceLater(bundle, wings)
}

const issuesOf = async (files: Record<string, string>) =>
  (await load(files).catch((thrown: unknown) => thrown as { payload: { issues: object[] } })) as {
    payload: { issues: object[] }
  }

const main = `
local lib = import 'lib/files.libsonnet';
{
  workspace: 'acme-files',
  providers: { host: { source: 'host', with: { root: '/tmp/plumbline-jsonnet' } } },
  // One file for each name.
  resources: [lib.file(name) for name in ['a', 'b']],
}
`
const files = {
  'plumbline.jsonnet': main,
  'lib/files.libsonnet': `{
  file(name):: {
    type: 'host_file',
    name: name,
    spec: { path: '/tmp/plumbline-jsonnet/' + name, content: (importstr '../motd.txt') % name },
  },
}`,
  'motd.txt': 'import "/etc/passwd" is only text here: %s\n',
}

describe('the command jsonnet', () => {
  it('makes a configuration of a file with its imports', async () => {
    const { configuration, bundle } = await load(files)
    expect(configuration.resources.map(({ address, attributes }) => [address, attributes['content']])).toEqual([
      ['host_file.a', 'import "/etc/passwd" is only text here: a\n'],
      ['host_file.b', 'import "/etc/passwd" is only text here: b\n'],
    ])
    expect(Object.keys(bundle.files)).toEqual(['plumbline.jsonnet'])
    expect(JSON.parse(bundle.files['plumbline.jsonnet'] ?? '')).toMatchObject({ workspace: 'acme-files' })
  })

  it.each([
    [
      '{\n  workspace: x,\n}',
      { file: 'plumbline.jsonnet', line: 2, column: 14, message: expect.stringContaining('Unknown variable: x') },
    ],
    [
      '{\n  workspace: error "no name",\n}',
      { file: 'plumbline.jsonnet', line: 2, message: expect.stringContaining('no name') },
    ],
    ['{ a: 1\n  b: 2 }', { file: 'plumbline.jsonnet', line: 2 }],
    ['{ a: std.extVar("HOME") }', { file: 'plumbline.jsonnet', line: 1, message: expect.stringContaining('HOME') }],
    ['import "/etc/hostname"', { file: 'plumbline.jsonnet', line: 1, column: 8 }],
    ['local f(x) = f(x + 1); f(0)', { message: expect.stringContaining('max stack frames exceeded') }],
    ['function(x) x', { file: 'plumbline.jsonnet' }],
  ])('%j is refused, at its place', async (text, issue) => {
    expect((await issuesOf({ 'plumbline.jsonnet': text })).payload.issues).toMatchObject([issue])
  })

  it('names the file of a mistake in an import', async () => {
    const wrong = { ...files, 'lib/files.libsonnet': '{\n  file(name):: name.x,\n}' }
    expect((await issuesOf(wrong)).payload.issues).toMatchObject([{ file: 'lib/files.libsonnet', line: 2 }])
  })

  it('finds imports above the folder, and the place of a mistake in them', async () => {
    const root = join(folder.path, 'repository')
    const own = async (name: string, text: string): Promise<void> => {
      await mkdir(dirname(join(root, name)), { recursive: true })
      await writeFile(join(root, name), text)
    }
    await own('lib/motd.txt', files['motd.txt'])
    await own('lib/files.libsonnet', files['lib/files.libsonnet'].replace('../motd.txt', 'motd.txt'))
    await own('acme/one/plumbline.jsonnet', main.replace('lib/files', '../../lib/files'))
    const read = () => readFolder(join(root, 'acme/one'), undefined, { searched: process.env['PATH'], root })
    const { configuration } = await loadWorkspaceLater(await read(), wings)
    expect(configuration.resources).toHaveLength(2)
    await own('lib/files.libsonnet', '{\n  file(name):: name.x,\n}')
    await expect(loadWorkspaceLater(await read(), wings)).rejects.toMatchObject({
      payload: { issues: [{ file: '../../lib/files.libsonnet', line: 2 }] },
    })
  })

  it('makes the overlay of a preview', async () => {
    const overlay = 'plumbline.preview.jsonnet'
    const own = {
      ...files,
      [overlay]: `
local lib = import 'lib/files.libsonnet';
{
  rename: [
    { address: 'host_file.' + each, attribute: 'path', to: lib.file('x').spec.path + '-$' + '{slug}-' + each }
    for each in ['a', 'b']
  ],
}
`,
    }
    const { configuration, bundle } = await load(own, { branch: 'feature/x', overlay })
    expect(configuration.preview).toMatchObject({ base: 'acme-files', branch: 'feature/x' })
    const paths = configuration.resources.map(({ attributes }) => attributes['path'])
    expect(paths).toEqual(['a', 'b'].map((each) => expect.stringMatching(`^x-feature-x-.*-${each}$`)))
    // Nothing in a stored version needs the command again.
    expect(Object.keys(bundle.files).toSorted()).toEqual(['plumbline.jsonnet', overlay].toSorted())
    expect(JSON.parse(bundle.files[overlay] ?? '')).toMatchObject({ rename: [{ address: 'host_file.a' }, {}] })
    const wrong = { ...own, [overlay]: '{ rename: [nothing] }' }
    const refused = load(wrong, { branch: 'feature/x', overlay })
    await expect(refused).rejects.toMatchObject({ payload: { issues: [{ file: overlay, line: 1 }] } })
  })
})
