import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadWorkspaceLater } from '../../../core/engine/workflows/session/load/load-later.ts'
import { collectBundle } from '../../../core/index.ts'
import { readFolder } from '../../../functions/adapters/files/config-source.ts'
import { evaluateJsonnet } from '../../../functions/adapters/files/jsonnet/evaluate.ts'
import { importsIn } from '../../../functions/adapters/files/jsonnet/find-imports.ts'
import type { ProgramEnd, ProgramRun } from '../../../functions/adapters/transport/exec/run-program.ts'
import { wings } from '../../builders/workspaces/wings.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

/* The command \`jsonnet\` is a double here; test/targets/jsonnet.test.ts runs the real one. */

const folder = temporaryFolder()
afterAll(() => folder.remove())

const write = async (files: Record<string, string>): Promise<string> => {
  const root = join(folder.path, `${(await readdir(folder.path)).length}`)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

const ended = (stdout: string, stderr = '', exitCode = 0): ProgramEnd => ({
  kind: 'ended',
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
})

/** Answers as told, and keeps what it was called with and what it could see. */
const command = (end: ProgramEnd | ((run: ProgramRun) => ProgramEnd)) => {
  const runs: (ProgramRun & { readonly files: readonly string[] })[] = []
  const run = async (given: ProgramRun): Promise<ProgramEnd> => {
    const below = await readdir(dirname(given.args.at(-1) ?? ''), { recursive: true })
    runs.push({ ...given, files: below.toSorted() })
    return typeof end === 'function' ? end(given) : end
  }
  return { run, runs, path: '/usr/bin' }
}

describe('the imports of a Jsonnet text', () => {
  it.each<[string, readonly (string | undefined)[]]>([
    ['import "a.libsonnet"', ['a.libsonnet']],
    ["local x = importstr 'b.txt'; importbin @'c.bin'", ['b.txt', 'c.bin']],
    ['import /* why */ // so\n "a"', ['a']],
    ['// import "a"\n# import "b"\n/* import "c" */ 1', []],
    ['"import \\"a\\"" + \'import "b"\'', []],
    ['{ t: |||\n  import "a"\n   ||| import "b"\n|||, u: import "c" }', ['c']],
    ['{ t: |||-\n\n  import "a"\n|||, u: import "c" }', ['c']],
    ['{ important: "x", reimport: "y", import_: "z" }', []],
    ['import "\\u002fetc/passwd"', [undefined]],
    ['import x', [undefined]],
  ])('are found without running it: %s', (text, paths) => {
    expect(importsIn(text).map(({ path }) => path)).toEqual(paths)
  })
})

describe('a Jsonnet file', () => {
  it('is evaluated with copies of what it imports, without a shell, variables or an environment', async () => {
    const root = await write({
      'plumbline.jsonnet': 'import "lib/a.libsonnet"',
      'lib/a.libsonnet': '{ x: import "../b.libsonnet", y: importstr "t.txt" }',
      'lib/t.txt': 'import "/etc/passwd"',
      'b.libsonnet': '1',
      'c.libsonnet': 'not imported',
    })
    const { run, runs, path } = command(ended('{ "workspace": "a" }\n'))
    expect(await evaluateJsonnet(root, 'plumbline.jsonnet', { run, path })).toEqual({ text: '{ "workspace": "a" }\n' })
    expect(runs).toMatchObject([
      {
        program: 'jsonnet',
        env: {},
        path: '/usr/bin',
        isCut: false,
        args: ['--', expect.stringMatching(/plumbline\.jsonnet$/)],
      },
    ])
    expect(runs[0]?.files).toEqual(['b.libsonnet', 'lib', 'lib/a.libsonnet', 'lib/t.txt', 'plumbline.jsonnet'])
    // The copies are gone.
    await expect(readFile(runs[0]?.args.at(-1) ?? '')).rejects.toThrow('ENOENT')
  })

  it.each([
    ['import "/etc/passwd"', 'the import /etc/passwd is no relative path'],
    ['\n  import "../other.libsonnet"', '../other.libsonnet is outside the folder'],
    ['import "a/../../other.libsonnet"', '../other.libsonnet is outside the folder'],
    ['import "link.libsonnet"', 'is a link that leads out of the folder'],
    ['import "\\u002fetc/passwd"', 'an import whose path has escapes'],
    ['import "nothing.libsonnet"', 'there is no file nothing.libsonnet'],
    ['import ".plumbline/key"', 'is of what plumbline keeps itself'],
    ['import ".git/config"', 'is of what Git keeps itself'],
  ])('%j is refused at its place, and nothing runs', async (text, message) => {
    const root = await write({ 'w/plumbline.jsonnet': text, 'other.libsonnet': '1', 'w/.plumbline/key': 'k' })
    await symlink('../other.libsonnet', join(root, 'w/link.libsonnet'))
    const { run, runs, path } = command(ended('{}'))
    expect(await evaluateJsonnet(join(root, 'w'), 'plumbline.jsonnet', { run, path })).toMatchObject({
      file: 'plumbline.jsonnet',
      line: text.startsWith('\n') ? 2 : 1,
      message: expect.stringContaining(message),
    })
    expect(runs).toEqual([])
  })

  it.each<[string, ProgramEnd | ((run: ProgramRun) => ProgramEnd), object]>([
    [
      'no command',
      { kind: 'not started', code: 'ENOENT' },
      { fix: expect.stringContaining('apt-get install jsonnet') },
    ],
    ['no end', { kind: 'timeout' }, { message: 'plumbline.jsonnet was not evaluated within 30 seconds' }],
    [
      'no end of its memory',
      { kind: 'flood', of: 'memory' },
      { message: 'plumbline.jsonnet takes more than 2 GiB of memory to evaluate' },
    ],
    ['no end of its output', { kind: 'flood' }, { message: 'plumbline.jsonnet evaluates to more than 16000000 bytes' }],
    [
      'a mistake',
      ({ args }) => ended('', `STATIC ERROR: ${args.at(-1)}:2:6: Unknown variable: x\n\n`, 1),
      {
        file: 'plumbline.jsonnet',
        line: 2,
        column: 6,
        message: 'plumbline.jsonnet cannot be evaluated: Unknown variable: x',
      },
    ],
    [
      'a mistake, as the other command says it',
      ({ args }) => ended('', `${args.at(-1)}:2:6-7 Unknown variable: x\n\n2: { a: x }\n\n`, 1),
      { file: 'plumbline.jsonnet', line: 2, column: 6, message: expect.stringContaining('Unknown variable: x') },
    ],
    [
      'a mistake in an import',
      ({ args }) =>
        ended(
          '',
          `RUNTIME ERROR: bad\nvalue\n\t${dirname(args.at(-1) ?? '')}/l.libsonnet:(2:4)-(3:1)\tfunction <f>\n`,
          1,
        ),
      { file: 'l.libsonnet', line: 2, column: 4, message: 'plumbline.jsonnet cannot be evaluated: bad value' },
    ],
    ['nothing said', ended('', '', 1), { message: 'plumbline.jsonnet cannot be evaluated: jsonnet does not say why' }],
  ])('is refused with the reason: %s', async (_, end, told) => {
    const root = await write({ 'plumbline.jsonnet': '{}' })
    expect(await evaluateJsonnet(root, 'plumbline.jsonnet', command(end))).toMatchObject({ code: 'jsonnet', ...told })
  })
})

/** A folder whose Jsonnet files contain the JSON that they mean. */
const bundleOf = (files: Record<string, string>) =>
  collectBundle(
    {
      entry: 'plumbline.jsonnet',
      folder: '/w',
      read: async (path) =>
        Object.hasOwn(files, path) ? { text: files[path] ?? '' } : { message: `no ${path}`, fix: '' },
      list: async () => Object.keys(files).filter((path) => path.startsWith('parts/')),
    },
    wings,
  )

const zone = { type: 'host_file', name: 'a', spec: { path: '/tmp/plumbline-jsonnet/a', content: 'x' } }
const providers = { host: { source: 'host', with: { root: '/tmp/plumbline-jsonnet' } } }
const issuesOf = async (files: Record<string, string>): Promise<readonly object[]> => {
  const error = await loadWorkspaceLater(await bundleOf(files), wings).catch((thrown) => thrown)
  return error?.payload?.issues ?? []
}

describe('a configuration in Jsonnet', () => {
  it('is stored as JSON under its own name, with its includes and modules', async () => {
    const bundle = await bundleOf({
      'plumbline.jsonnet': JSON.stringify({
        workspace: 'a',
        providers,
        include: ['parts/*.jsonnet'],
        modules: [{ name: 'm', source: './m' }],
      }),
      'parts/one.jsonnet': JSON.stringify({ resources: [zone] }),
      'm/module.jsonnet': JSON.stringify({
        resources: [{ ...zone, spec: { ...zone.spec, path: '/tmp/plumbline-jsonnet/b' } }],
      }),
    })
    const { configuration, bundle: own } = await loadWorkspaceLater(bundle, wings)
    expect(configuration.resources.map(({ address }) => address)).toEqual(['module.m.host_file.a', 'host_file.a'])
    expect(configuration.locate('host_file.a', ['content'])).toEqual({ file: 'parts/one.jsonnet', line: 1, column: 1 })
    expect(Object.keys(own.files)).toEqual(['plumbline.jsonnet', 'm/module.jsonnet', 'parts/one.jsonnet'])
  })

  it('has the place within the value in a problem', async () => {
    const wrong = { workspace: 'a', providers, resources: [{ ...zone, sepc: {} }] }
    expect(await issuesOf({ 'plumbline.jsonnet': JSON.stringify(wrong, null, 2) })).toMatchObject([
      {
        file: 'plumbline.jsonnet',
        line: 1,
        column: 1,
        message: expect.stringContaining('(at resources[a].sepc of its value)'),
      },
    ])
  })

  it.each(['{ workspace: "a" }', 'local a = 1; {}', "{ 'a': import 'b' }"])(
    'is refused where nobody evaluated it: %s',
    async (text) => {
      expect(await issuesOf({ 'plumbline.jsonnet': text })).toMatchObject([
        {
          file: 'plumbline.jsonnet',
          line: 1,
          message: expect.stringContaining('evaluated only where its files are read'),
        },
      ])
    },
  )

  it('is read from a folder without the command, and the error says what to install', async () => {
    const root = await write({ 'plumbline.jsonnet': '{ workspace: "a" }' })
    const bundle = await readFolder(root)
    const error = await loadWorkspaceLater(bundle, wings).catch((thrown) => thrown)
    expect(error.payload.issues).toMatchObject([
      { file: 'plumbline.jsonnet', fix: expect.stringContaining('install it') },
    ])
  })
})
