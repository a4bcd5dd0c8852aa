import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadWorkspaceLater } from '../../core/engine/workflows/session/load/load-later.ts'
import { sources } from '../../core/sources/index.ts'
import { libraryText } from '../../core/sources/otterdog/library/library.ts'
import { readFolder } from '../../functions/adapters/files/config-source.ts'
import { everyType } from '../builders/otterdog/every-type.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

/* Organisation files of Otterdog in Jsonnet, evaluated by the real command. */

const fixtures = join(import.meta.dirname, '../fixtures/otterdog')
const folder = temporaryFolder()
afterAll(() => folder.remove())

const providers = async () => everyType

let count = 0
/** A workspace with a copy of the form in `otterdog/`, and other files. */
const load = async (form: string, given: object, more: Readonly<Record<string, string>> = {}) => {
  count += 1
  const root = join(folder.path, String(count))
  await cp(join(fixtures, form), join(root, 'otterdog'), { recursive: true })
  const modules = [{ name: 'acme', source: 'otterdog', with: { file: './otterdog/acme.jsonnet', ...given } }]
  const configuration = { workspace: 'acme', providers: { hub: { source: 'github' } }, modules }
  for (const [path, text] of Object.entries({ ...more, 'plumbline.json': JSON.stringify(configuration) })) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const bundle = await readFolder(root, undefined, { searched: process.env['PATH'], providers })
  return loadWorkspaceLater(bundle, { providers, sources })
}

const issuesOf = async (...args: Parameters<typeof load>) =>
  load(...args).then(
    () => [],
    (error: { payload: { issues: object[] } }) => error.payload.issues,
  )

const functions = { 'otterdog/vendor/acme-defaults/functions.libsonnet': libraryText() }

describe('organisation files in Jsonnet', () => {
  it.each<[string, { library?: string; file?: string }]>([
    ['settings', { library: 'shipped' }],
    ['hidden', { library: 'shipped' }],
    ['several', { library: 'shipped' }],
    ['helper', { library: 'shipped' }],
    ['naming', { library: 'shipped', file: './otterdog/otterdog-acme.jsonnet' }],
    ['extend', {}],
  ])('are evaluated like the expected JSON: the form %s', async (form, given) => {
    const { bundle, configuration } = await load(form, given, form === 'extend' ? functions : {})
    const evaluated = bundle.files[given.file?.slice(2) ?? 'otterdog/acme.jsonnet'] ?? ''
    const expected = JSON.parse(await readFile(join(fixtures, form, 'acme.json'), 'utf8'))
    expect(JSON.parse(evaluated)).toEqual(expected)
    expect(configuration.resources.length).toBeGreaterThan(2)
    expect(Object.keys(bundle.files)).toHaveLength(2)
  })

  it('the library can be a folder of the workspace', async () => {
    const more = { 'lib/otterdog-defaults.libsonnet': libraryText().replace('"plan": "free"', '"plan": "team"') }
    const { bundle } = await load('several', { library: './lib' }, more)
    expect(JSON.parse(bundle.files['otterdog/acme.jsonnet'] ?? '')).toMatchObject({ settings: { plan: 'team' } })
  })

  it('a missing library is named with its import, and what to do', async () => {
    expect(await issuesOf('settings', {})).toMatchObject([
      { file: 'otterdog/acme.jsonnet', line: 1, column: 21, fix: expect.stringContaining('library: shipped') },
    ])
    expect(await issuesOf('settings', { library: '../lib' })).toMatchObject([
      { message: expect.stringContaining('is outside the folder of the workspace') },
    ])
  })

  it('a file for an older library is refused at its line', async () => {
    expect(await issuesOf('old', { library: 'shipped' })).toMatchObject([
      {
        file: 'otterdog/acme.jsonnet',
        line: 4,
        message: expect.stringMatching(/missing argument|parameter.*not bound|github_id/i),
      },
    ])
  })

  it('a problem says where it is in the value, and the call that leads there', async () => {
    const [issue] = await issuesOf('settings', { library: 'shipped', excludeTeams: ['^core$'] })
    expect(issue).toMatchObject({
      file: 'otterdog/acme.jsonnet',
      code: 'TEAM-1',
      message: expect.stringContaining('(at teams[core].name of its value)'),
      calls: [{ module: 'module.acme', file: 'plumbline.json' }],
    })
  })
})
