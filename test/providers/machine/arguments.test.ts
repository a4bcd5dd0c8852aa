import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namedFiles } from '../../../core/engine/config/files/named-files.ts'
import type { ResourceType } from '../../../core/engine/provider/provider.ts'
import { isObject, type JsonObject } from '../../../core/engine/schema/json.ts'
import { callIn, programIn } from '../../../core/engine/transport/programs.ts'
import { machine } from '../../../core/providers/machine/machine.ts'
import { lawRuns } from '../../builders/laws.ts'

/*
 * Whatever a configuration says is either refused before anything runs, or a program gets it as one argument that it takes
 * for what it is: a name, a version, a place or a text. How the programs read an argument is written here as they do it.
 */

const typeOf = (name: string): ResourceType => {
  const configured = machine.configure({
    alias: 'machine',
    with: { home: '/home/me', npmPrefix: '/home/me/npm' },
    position: { file: 'plumbline.yaml', line: 1, column: 1 },
    files: namedFiles({ files: {} }),
  })
  const types = configured.ok ? configured.provider.types : {}
  return types[name] ?? expect.unreachable(name)
}

/** `undefined`: it is refused. */
const accepted = (type: ResourceType, written: JsonObject): JsonObject | undefined => {
  const prepared = type.prepare?.(written) ?? { ok: true, attributes: written }
  if (!prepared.ok) return undefined
  return type.validate?.(prepared.attributes).length === 0 ? prepared.attributes : undefined
}

const actions = ['create', 'update', 'delete'] as const

/** What the port of programs gets, commands and their inverses alike. */
const callsOf = (type: ResourceType, desired: JsonObject, before: JsonObject) =>
  actions
    .flatMap((action) =>
      type.commands({
        address: 'a',
        action,
        desired,
        before: action === 'create' ? null : before,
        after: action === 'delete' ? null : desired,
        diff: { kind: 'value', action: 'update' },
        changed: Object.keys(desired).map((member) => [member]),
      } as never),
    )
    .flatMap(({ request, inverse }) => [request, ...(inverse === undefined || inverse === null ? [] : [inverse])])
    .flatMap(({ url, body }) => {
      const program = programIn(String(url))
      if (program === undefined) return []
      const call = callIn(isObject(body) ? body : undefined) ?? expect.unreachable(`no call: ${JSON.stringify(body)}`)
      return [{ program, args: call.args }]
    })

/** `was`: the version that was read. */
type Reading = (args: readonly string[], values: Readonly<Record<string, string>>, was: string) => unknown

/** What follows `--`, which must be the last argument. */
const operand = (args: readonly string[]): string => {
  expect(args.at(-2)).toBe('--')
  return args.at(-1) ?? ''
}

/** The name, or the name with one of the two versions. */
const isNamed = (text: string, name: string, sign: string, versions: readonly (string | undefined)[]): void =>
  expect([name, ...versions.map((version) => `${name}${sign}${version}`)]).toContain(text)

/** https://salsa.debian.org/apt-team/apt/-/blob/main/apt-pkg/cacheset.cc: modifiers, releases, versions and patterns. */
const asApt: Reading = (args, { name = '', version, from }, was) => {
  const text = operand(args)
  if (text.startsWith('/')) return expect(text).toBe(from)
  expect(args).toContain('APT::Cmd::Pattern-Only=true')
  isNamed(text, name, '=', [version, was])
  expect(name).toMatch(/^[a-z0-9][a-z0-9+.-]*$/)
  const isPlain = text === name && /[^+]\+\+$/.test(text)
  return expect(isPlain || !/[-+]$/.test(text), text).toBe(true)
}

/** https://github.com/npm/npm-package-arg/blob/main/lib/npa.js: what is no name and no version of the registry. */
const asNpm: Reading = (args, { name = '', version, from }, was) => {
  const text = operand(args)
  const isAddress = /^(?:git[+])?[a-z]+:/i.test(text) || /^[^@]+@[^:.]+\.[^:]+:.+$/i.test(text)
  if (text === from) return expect([text.startsWith('https://'), !text.startsWith('/')]).toEqual([isAddress, isAddress])
  expect(isAddress).toBe(false)
  isNamed(text, name, '@', [version, was])
  expect(name).not.toMatch(name.startsWith('@') ? /\/.*\/|\.\.?$|\/\./ : /\/|^\.|[.](?:tgz|tar\.gz|tar)$/i)
  const spec = text.slice(name.length + 1)
  expect(spec).not.toMatch(/[.](?:tgz|tar\.gz|tar)$/i)
  return expect(spec).toMatch(/^(?:\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)?$/i)
}

const archive = /\.(?:zip|whl|tgz|tar|tbz|txz|tlz|tar\.(?:gz|bz2|xz|lz|lzma))$/i

/** https://github.com/pypa/pip/blob/main/src/pip/_internal/req/constructors.py: markers, extras, paths and archives. */
const asPip: Reading = (args, { name = '', version, from }, was) => {
  const text = operand(args)
  if (text === from && text.startsWith('https://')) return expect(text).not.toMatch(/; /)
  if (text === from && text.startsWith('/')) return expect(text).not.toMatch(/[;[\]:]/)
  isNamed(text, name, '==', [version, was])
  expect(text).not.toMatch(archive)
  return expect(text).toMatch(/^[a-z0-9-]+(?:==[\w.!+-]+)?$/i)
}

/** https://www.freedesktop.org/software/systemd/man/latest/systemctl.html: globs, paths and units without a suffix. */
const asSystemctl: Reading = (args, { unit }) => {
  const text = operand(args)
  expect(text).toBe(unit)
  return expect(text).toMatch(/^(?!-)[^*?[\]/\s]+\.[a-z]+$/)
}

/** https://git-scm.com/docs/git-config: the key is the first that is no option, and what follows is its value. */
const asGit: Reading = (args, { value }) => {
  const [command, option, file, way, key, ...rest] = args
  expect([command, option, file]).toEqual(['config', '--file', '/home/me/.gitconfig'])
  expect(['--replace-all', '--unset-all']).toContain(way)
  expect(key).toMatch(/^[a-z0-9][a-z0-9-]*\.(?:[^\n\0]*\.)?[a-z][a-z0-9-]*$/)
  if (way === '--unset-all') return expect(rest).toEqual([])
  return expect([[value], ['old']]).toContainEqual(rest)
}

interface Driven {
  readonly type: string
  /** What is well written. Each of its members that is named gets hostile values. */
  readonly good: Readonly<Record<string, string>>
  readonly members: readonly string[]
  readonly flags?: JsonObject
  readonly before: JsonObject
  readonly read: Reading
}

const drivers: Readonly<Record<string, Driven>> = {
  apt: {
    type: 'machine_package',
    good: { driver: 'apt', name: 'tmux', version: '3.3a-3' },
    members: ['name', 'version', 'from', 'was'],
    before: { driver: 'apt', name: 'tmux', version: '3.3a-3' },
    read: asApt,
  },
  npm: {
    type: 'machine_package',
    good: { driver: 'npm', name: 'prettier', version: '3.6.2' },
    members: ['name', 'version', 'from', 'was'],
    before: { driver: 'npm', name: 'prettier', version: '3.6.2' },
    read: asNpm,
  },
  pip: {
    type: 'machine_package',
    good: { driver: 'pip', name: 'requests', version: '2.31.0' },
    members: ['name', 'version', 'from', 'was'],
    before: { driver: 'pip', name: 'requests', version: '2.31.0' },
    read: asPip,
  },
  systemctl: {
    type: 'machine_service',
    good: { unit: 'nginx.service' },
    members: ['unit', 'scope'],
    flags: { active: true, enabled: true },
    before: { unit: 'nginx.service', scope: 'system', active: false, enabled: false },
    read: asSystemctl,
  },
  git: {
    type: 'machine_git_config',
    good: { key: 'user.email', value: 'me@example.org' },
    members: ['key', 'value'],
    before: { file: '.gitconfig', key: 'user.email', value: 'old' },
    read: asGit,
  },
}

const signs = [
  ...[
    '-',
    '--',
    '+',
    '++',
    '+++',
    '=',
    '==',
    '@',
    ':',
    '/',
    '//',
    '\\',
    '.',
    '..',
    '../',
    '~',
    '^',
    '*',
    '?',
    '[a-z]',
    '!',
  ],
  ...['%', '%s', '%n', '$(id)', '`id`', '${HOME}', ';', '; ', '|', '&', '&&', '>', '<', '#', ',', '(', ')', '{a,b}'],
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '\u00a0',
    '\u2028',
    '\u202e',
    '\u200b',
    '\ufeff',
    '\u2010',
    '\uff0d',
    '\u0430',
    '\u{1f600}',
  ],
  ...[
    '.tgz',
    '.tar.gz',
    '.zip',
    '.whl',
    '.deb',
    '.TGZ',
    '[extra]',
    '/bookworm',
    ':i386',
    '.service',
    '.target',
    '@.service',
  ],
  ...['1:', '1!', '+x', '-1', '~rc1', '.*', '>=', '@latest', '@npm:', '@file:', '@github.com:evil/x', '.example.org:x'],
]

const whole = [
  '',
  ...[
    '-r',
    '-rfile',
    '-r file',
    '--index-url=https://evil.example',
    '-o=Debug::x=1',
    '--',
    '-',
    '@file',
    '@',
    '.',
    '..',
    '/',
  ],
  ...[
    'tmux-',
    'jq+',
    'tmux=1-',
    'g++',
    'g+++',
    'a.',
    'e.',
    'a.tgz',
    'x/y',
    'x@y',
    'x@npm:y',
    '@a/../b',
    '@a/b',
    '~',
    '~/x',
  ],
  ...[
    'ext::sh -c id',
    'ext::sh',
    'git+ssh://h/x',
    'file:/etc',
    'file:..',
    'npm:evil',
    'github:evil/x',
    'link:..',
    'latest',
  ],
  ...[
    'https://me:pw@example.org/x.tgz',
    'https://me@example.org/x',
    'https://a\\@b/x',
    'http://example.org/x',
    'HTTPS://e/x',
  ],
  ...[
    'https://example.org/x.whl',
    'https://example.org/x ; y',
    'https://example.org/\n',
    'https://',
    'https:///x',
    'https://e/\u0430',
  ],
  ...[
    '/srv/x.deb',
    '/srv/a@b.c:d/x',
    '/srv/x[y]',
    '/srv/x;y',
    '/srv/../etc/x.deb',
    '/srv/\nx',
    '/srv/*.deb',
    '/x',
    '//x',
    '/x -r',
  ],
  ...[
    '1.2.3',
    '1',
    '1.2',
    '1.2.3.tgz',
    '1.0.0-x.tgz',
    '1.0+x.zip',
    '1.zip',
    '1.0-',
    '1.0+',
    '5:1.2-3',
    '1.*',
    'github.com:x',
  ],
  ...[
    'user.name',
    'url.https://a.b/.insteadOf',
    'a.b\n.c',
    'a.-b',
    '-a.b',
    '--global.x',
    'a..b',
    'core.x=y',
    'alias.x',
    'a.\0.b',
  ],
  ...[
    'a.service',
    '*.service',
    'a*.service',
    '../a.service',
    '/etc/a.service',
    'a@b.service',
    'a.service b',
    'a\\x2d.mount',
  ],
  'a'.repeat(300),
  `a.${'b'.repeat(200_000)}`,
  '9'.repeat(150_000),
]

const plain = fc.constantFrom(
  'a',
  'tmux',
  'lib',
  'x1',
  '1.2.3',
  '2',
  'user.name',
  'a.service',
  '/srv/x.deb',
  'https://h/x',
)

/** Plain words with signs around and between them, and texts that mean something to one of the programs. */
const hostile = fc.oneof(
  fc.constantFrom(...whole),
  fc.array(fc.oneof(plain, fc.constantFrom(...signs)), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

/** `was`: stands for the version that was read, which a file of the package says. */
const holds = ({ type: name, good, flags, before, read }: Driven, member: string, value: string): boolean => {
  const type = typeOf(name)
  const isRead = member === 'was'
  const attributes = accepted(type, { ...good, ...flags, ...(isRead ? {} : { [member]: value }) })
  if (attributes === undefined) return false
  const texts = Object.entries(attributes).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const was = isRead ? { ...before, version: value } : before
  for (const { args } of callsOf(type, attributes, was)) {
    expect(args.every((each) => !each.includes('\0') && each.length < 131_072)).toBe(true)
    read(args, { ...good, ...Object.fromEntries(texts) }, String(was['version']))
  }
  return true
}

const cases = Object.entries(drivers).flatMap(([name, driven]) =>
  driven.members.map((member) => [name, member, driven] as const),
)

describe('machine: a hostile value is refused, or is one argument that the program takes for what it is', () => {
  it.each(cases)('as each text that means something to a program: %s %s', (_, member, driven) => {
    const refused = whole.filter((value) => !holds(driven, member, value))
    // What was read is not refused; it is only not sent again.
    expect(refused.length > 0).toBe(member !== 'was')
  })

  it.each(cases)('as any text with signs around it: %s %s', (_, member, driven) => {
    fc.assert(
      fc.property(hostile, (value) => void holds(driven, member, value)),
      lawRuns(5_000),
    )
  })
})
