import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namedFiles } from '../../../core/engine/config/files/named-files.ts'
import type { Provider, ProviderInput, ResourceType } from '../../../core/engine/provider/provider.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { isRead } from '../../../core/engine/transport/read-only.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { machine } from '../../../core/providers/machine/machine.ts'
import { describeProvider } from '../../../core/tools/conformance/index.ts'
import { execOn } from '../../../functions/adapters/transport/exec/exec.ts'
import { createTransport } from '../../../functions/adapters/transport/index.ts'
import { anAnswer, aTransport } from '../../builders/values/transports.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

const inputOf = (given: JsonObject, rest: Partial<ProviderInput> = {}): ProviderInput => ({
  alias: 'machine',
  with: given,
  position: { file: 'plumbline.yaml', line: 3, column: 5 },
  files: namedFiles({ files: {} }),
  ...rest,
})

const providerIn = (home: string, rest: JsonObject = {}): Provider => {
  const configured = machine.configure(inputOf({ home, ...rest }))
  return configured.ok ? configured.provider : expect.unreachable(JSON.stringify(configured.issues))
}

const typeIn = (home: string, name: string, rest: JsonObject = {}): ResourceType =>
  providerIn(home, rest).types[name] ?? expect.unreachable(name)

const realTransport = ({ fileRoots = [], programs = [] }: Provider): Transport =>
  createTransport({ exec: execOn(process.env['PATH'] ?? '') })({ fileRoots, programs, timeoutMs: 60_000 })

type Declared = readonly [JsonObject, ...JsonObject[]]

/** Type, then what is declared, one after the other; and what else is in the home. */
const cases: Record<string, { type: string; declared: Declared; home?: Record<string, string>; unlisted?: true }> = {
  machine_file: {
    type: 'machine_file',
    declared: [
      { path: 'a/b', content: 'x' },
      { path: 'a/b', content: 'y', mode: '0600' },
    ],
  },
  machine_directory: {
    type: 'machine_directory',
    declared: [{ path: 'work' }, { path: 'work', mode: '0700' }, { path: './work', mode: '1777' }],
  },
  machine_link: {
    type: 'machine_link',
    declared: [
      { path: 'vimrc', target: 'dotfiles/vimrc' },
      { path: 'vimrc', target: '/etc/$(id)\n"' },
    ],
  },
  'machine_line in a file that is missing': {
    type: 'machine_line',
    declared: [{ file: 'etc/hosts', line: '127.0.0.1 app' }],
  },
  machine_line: {
    type: 'machine_line',
    home: { conf: 'first = 1\r\nlast = 9' },
    declared: [
      { file: 'conf', startsWith: 'second =', line: 'second = 2' },
      { file: './conf', startsWith: 'second =', line: 'second = "$(id) \'`' },
    ],
  },
  machine_block: {
    type: 'machine_block',
    home: { '.bashrc': '\uFEFF# first\n' },
    declared: [
      { file: '.bashrc', name: 'app', content: 'a=1\nb=2' },
      { file: '.bashrc', name: 'app', content: '' },
      { file: '.bashrc', name: 'app', content: '\n$(id)\n\n' },
    ],
  },
  'machine_block with another comment': {
    type: 'machine_block',
    declared: [{ file: 'my.vim', name: 'app', comment: '"', content: 'set nu\n' }],
    unlisted: true,
  },
  machine_alias: {
    type: 'machine_alias',
    home: { '.bashrc': "alias l='ls'\nalias lll='ls'\n" },
    declared: [
      { name: 'll', value: 'ls -l' },
      { file: '.bashrc', name: 'll', value: 'echo \'it\'"$(id)" `id` \\ $HOME' },
      { name: 'll', value: '-n --now' },
      { name: 'll', value: 'x'.repeat(100_000) },
    ],
  },
  machine_env: {
    type: 'machine_env',
    declared: [
      { name: 'EDITOR', value: 'vim' },
      { name: 'EDITOR', value: '$HOME/bin/vim', expand: true },
      { name: 'EDITOR', value: '$HOME/bin/vim' },
    ],
  },
  machine_aws_profile: {
    type: 'machine_aws_profile',
    home: {
      '.aws/credentials': '[other]\naws_access_key_id=AKIAOTHER\naws_secret_access_key = not ours\n',
      '.aws/config': '[default]\nregion = eu-west-1\n\n[profile other]\ns3 =\n  max_concurrent_requests = 20\n',
    },
    declared: [
      { name: 'prod', accessKeyId: 'AKIA1', region: 'eu-central-1' },
      { name: 'prod', accessKeyId: 'AKIA2', region: 'eu-central-1', output: 'json' },
      { name: 'prod', region: null, settings: { cli_pager: '', retry_mode: 'adaptive' } },
    ],
  },
  'machine_aws_profile without keys': {
    type: 'machine_aws_profile',
    declared: [
      { name: 'default', region: 'eu-central-1' },
      { name: 'default', region: 'us-east-1' },
    ],
  },
  'machine_aws_profile with a name only': {
    type: 'machine_aws_profile',
    home: { '.aws/config': '[default]\nregion = eu-west-1\n' },
    declared: [{ name: 'prod' }, { name: 'prod', region: 'eu-central-1' }, { name: 'prod', region: null }],
  },
  'machine_aws_profile of which every value is null': {
    type: 'machine_aws_profile',
    declared: [
      { name: 'prod', region: null, accessKeyId: null, settings: { retry_mode: null } },
      { name: 'prod', accessKeyId: 'AKIA1' },
      { name: 'prod', accessKeyId: null },
    ],
  },
  machine_git_config: {
    type: 'machine_git_config',
    home: { '.gitconfig': '# mine\n[user]\n\tname = Me\n' },
    declared: [
      { key: 'user.email', value: 'me@example.org' },
      { key: 'User.Email', value: '-n --unset "it\'s" # $(id) ; \\ ä' },
      { key: 'user.email', value: '' },
    ],
  },
  'machine_git_config of another file': {
    type: 'machine_git_config',
    declared: [
      { file: 'work.gitconfig', key: 'url.https://git.example.org/A.B/.insteadOf', value: 'work:' },
      { file: 'work.gitconfig', key: 'url.https://git.example.org/A.B/.insteadOf', value: '  w: ' },
    ],
  },
}

for (const [name, { type, declared, home = {}, ...rest }] of Object.entries(cases)) {
  describeProvider(
    name,
    async () => {
      const folder = temporaryFolder()
      for (const [path, text] of Object.entries(home)) {
        mkdirSync(join(folder.path, path, '..'), { recursive: true })
        writeFileSync(join(folder.path, path), text)
      }
      const provider = providerIn(folder.path)
      return {
        type: provider.types[type] ?? expect.unreachable(type),
        transport: realTransport(provider),
        declared,
        ...rest,
        end: async () => folder.remove(),
      }
    },
    { describe, it },
  )
}

describe('machine: a removed profile', () => {
  it('loses its section of the credentials too, also if that has no key for an attribute', async () => {
    const folder = temporaryFolder()
    using _ = { [Symbol.dispose]: () => folder.remove() }
    mkdirSync(join(folder.path, '.aws'))
    const credentials = join(folder.path, '.aws/credentials')
    writeFileSync(credentials, '[other]\na = 1\n\n[prod]\ncredential_process = /bin/tool\n')
    writeFileSync(join(folder.path, '.aws/config'), '[profile prod]\nregion = x\n')
    const provider = providerIn(folder.path)
    const type = provider.types['machine_aws_profile'] ?? expect.unreachable()
    const transport = realTransport(provider)
    const desired = { name: 'prod', credentialsFile: '.aws/credentials', configFile: '.aws/config', region: 'x' }
    const read = await type.read({ address: 'a', attributes: desired }, { transport })
    if (read.kind !== 'present') throw new Error(read.kind)
    const commands = type.commands({
      ...{ address: 'a', action: 'delete', desired, before: read.attributes, after: null, changed: [] },
      ...{ diff: { kind: 'value', action: 'delete', before: null, after: null } },
    } as never)
    for (const { request } of commands) await transport.send(request as never)
    expect(readFileSync(credentials, 'utf8')).toBe('[other]\na = 1\n')
    expect(await type.read({ address: 'a', attributes: desired }, { transport })).toEqual({ kind: 'absent' })
  })
})

describe('machine: the settings', () => {
  it.each<[JsonObject, Partial<ProviderInput>, object]>([
    [{ home: '/home/me/' }, {}, { fileRoots: ['/home/me'] }],
    [{ home: '/home/me', root: '/' }, {}, { fileRoots: ['/'] }],
    [{ home: './machine' }, { folder: '/work/acme' }, { fileRoots: ['/work/acme/machine'] }],
    [{ home: '/home/me', timeoutMs: 5_000 }, {}, { limits: { timeoutMs: 5_000 } }],
    [
      { home: '/home/me', env: { HTTPS_PROXY: 'http://proxy:3128' }, npmPrefix: '/home/me/npm' },
      {},
      { fileRoots: ['/home/me'] },
    ],
  ])('accepts %j', (given, rest, provider) => {
    expect(machine.configure(inputOf(given, rest))).toMatchObject({ ok: true, provider })
  })

  it.each<[JsonObject, string]>([
    [{}, 'provider machine has no home'],
    [{ home: '' }, 'provider machine has no home'],
    [{ home: { $secret: 'env:HOME' } }, 'provider machine has no home'],
    [{ home: './home' }, 'the home of provider machine is relative'],
    [{ home: '/home/me', root: '/home/you' }, 'the home of provider machine is not inside of its root'],
    [{ home: '/home/me', root: '/home/m' }, 'is not inside of its root'],
    [{ home: '/home/me', npmPrefix: '/opt/npm' }, '`npmPrefix` of provider machine is not inside of its root'],
    [{ home: '/home/me', npmPrefix: 1 }, 'provider machine has no npmPrefix'],
    [{ home: '/home/me', env: { PATH: '/tmp' } }, 'a variable that is not passed on'],
    [{ home: '/home/me', env: { LD_PRELOAD: '/tmp/x.so' } }, 'a variable that is not passed on'],
    [{ home: '/home/me', env: { NODE_OPTIONS: '--require=/tmp/x' } }, 'a variable that is not passed on'],
    [{ home: '/home/me', env: { HOME: '/tmp' } }, 'a variable that is not passed on'],
    [{ home: '/home/me', env: { TZ: { $secret: 'env:TZ' } } }, 'a variable that is not passed on'],
    [{ home: '/home/me', env: 'TZ=UTC' }, 'a variable that is not passed on'],
    [{ home: '/home/me', timeoutMs: 10 }, '`timeoutMs` of provider machine is invalid'],
    [{ home: '/home/me', shell: '/bin/sh' }, 'unknown setting'],
  ])('refuses %j at its place', (given, message) => {
    expect(machine.configure(inputOf(given))).toMatchObject({
      ok: false,
      issues: [{ file: 'plumbline.yaml', line: 3, message: expect.stringContaining(message) }],
    })
  })
})

const prepared = (name: string, written: JsonObject, rest: JsonObject = {}) => {
  const type = typeIn('/home/me', name, rest)
  const done = type.prepare?.(written) ?? { ok: true, attributes: written }
  return done.ok ? { attributes: done.attributes, problems: type.validate?.(done.attributes) ?? [] } : done
}

describe('machine: declared values', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['machine_alias', { name: 'll', value: 'ls' }, { file: '.bashrc', name: 'll', value: 'ls' }],
    [
      'machine_alias',
      { file: '/home/me/.zshrc', name: 'll', value: 'ls' },
      { file: '.zshrc', name: 'll', value: 'ls' },
    ],
    [
      'machine_env',
      { name: 'A', value: { $secret: 'env:A' } },
      { file: '.profile', name: 'A', value: { $secret: 'env:A' } },
    ],
    ['machine_line', { file: 'a', line: 'x' }, { file: 'a', line: 'x', startsWith: 'x' }],
    ['machine_git_config', { key: 'User.Name', value: 'x' }, { file: '.gitconfig', key: 'user.name', value: 'x' }],
    [
      'machine_git_config',
      { key: 'url.A.B.insteadOf', value: 'x' },
      { file: '.gitconfig', key: 'url.A.B.insteadof', value: 'x' },
    ],
    ['machine_service', { unit: 'ssh.service' }, { unit: 'ssh.service', scope: 'system' }],
    [
      'machine_aws_profile',
      { name: 'prod', region: 'x' },
      { name: 'prod', credentialsFile: '.aws/credentials', configFile: '.aws/config', region: 'x' },
    ],
  ])('are normalised: %s %j is %j', (type, written, attributes) => {
    expect(prepared(type, written)).toEqual({ attributes, problems: [] })
  })

  it.each<[string, JsonObject, string]>([
    ['machine_alias', { file: '../x', name: 'll', value: 'ls' }, 'file'],
    ['machine_alias', { name: '$(id)', value: 'ls' }, 'value'],
    ['machine_alias', { name: 'll', value: 'a\nb' }, 'value'],
    ['machine_alias', { name: 'll', value: 'a\0b' }, 'value'],
    ['machine_env', { name: 'A B', value: 'x' }, 'value'],
    ['machine_env', { name: 'A', value: '$(id)', expand: true }, 'value'],
    ['machine_line', { file: 'a', line: 'x\ny' }, 'line'],
    ['machine_line', { file: 'a', line: { $secret: 'env:A' } }, 'line'],
    ['machine_line', { file: 'a', startsWith: 'b', line: 'x' }, 'line'],
    ['machine_line', { file: 'a', startsWith: '', line: 'x' }, 'line'],
    ['machine_block', { file: 'a', name: 'a b', content: '' }, 'content'],
    ['machine_block', { file: 'a', name: 'a', content: '# <<< plumbline a <<<' }, 'content'],
    ['machine_block', { file: 'a', name: 'a', comment: 'rem', content: '' }, 'content'],
    ['machine_directory', { path: '/etc' }, 'path'],
    ['machine_directory', { path: 'a', mode: 'rwx' }, 'mode'],
    ['machine_link', { path: 'a', target: '' }, 'target'],
    ['machine_git_config', { key: 'name', value: 'x' }, 'key'],
    ['machine_git_config', { key: '--global.x', value: 'x' }, 'key'],
    ['machine_git_config', { key: 'a.b\n.c', value: 'x' }, 'key'],
    ['machine_git_config', { key: 'a.b', value: 'x\ny' }, 'value'],
    ['machine_git_config', { key: 'a.b', value: { $secret: 'env:A' } }, 'value'],
    ['machine_package', { driver: 'brew', name: 'x' }, 'driver'],
    ['machine_package', { driver: 'constructor', name: 'x' }, 'driver'],
    ['machine_package', { driver: 'npm', name: 'x' }, 'driver'],
    ['machine_package', { driver: 'apt', name: '-o=x' }, 'name'],
    ['machine_package', { driver: 'apt', name: 'a b' }, 'name'],
    ['machine_package', { driver: 'apt', name: 'bash-' }, 'name'],
    ['machine_package', { driver: 'apt', name: 'jq+' }, 'name'],
    ['machine_package', { driver: 'apt', name: 'bash+-' }, 'name'],
    ['machine_package', { driver: 'pip', name: '--index-url=x' }, 'name'],
    ...[
      'e.tar.gz',
      'E.ZIP',
      'e.whl',
      'e-1.0.tar.bz2',
      'e.tar.lzma',
      './e',
      'e/f',
      '/srv/e',
      'file:e',
      'https://h/e',
      '-e',
    ].map((name): [string, JsonObject, string] => ['machine_package', { driver: 'pip', name }, 'name']),
    ...['x.deb', './x.deb', 'x.ddeb', '/srv/x.deb'].map((name): [string, JsonObject, string] => [
      'machine_package',
      { driver: 'apt', name },
      'name',
    ]),
    ['machine_package', { driver: 'pip', name: 'a', version: '1.0.tar.gz' }, 'version'],
    ['machine_package', { driver: 'pip', name: 'a', version: '1; rm' }, 'version'],
    ['machine_package', { driver: 'apt', name: 'abc', from: '--x' }, 'from'],
    ['machine_package', { driver: 'pip', name: 'a', from: 'http://x' }, 'from'],
    ['machine_package', { driver: 'pip', name: 'a', from: { $secret: 'env:A' } }, 'from'],
    ['machine_service', { unit: '--now' }, 'unit'],
    ['machine_service', { unit: 'ssh' }, 'unit'],
    ['machine_service', { unit: 'ssh.service', scope: 'root' }, 'scope'],
    ['machine_aws_profile', { name: 'a]\n[b', region: 'x' }, 'name'],
    ['machine_aws_profile', { name: 'a]\n[b' }, 'name'],
    ['machine_aws_profile', { name: 'a', region: 'x\ny' }, 'name'],
    ['machine_aws_profile', { name: 'a', settings: { aws_secret_access_key: 'x' } }, 'settings'],
  ])('have a problem: %s %j at %s', (type, written, member) => {
    expect(prepared(type, written)).toMatchObject({
      problems: [{ path: member === 'settings' ? [member, expect.anything()] : [member] }],
    })
  })
})

describe('machine: names of packages', () => {
  it.each([
    ['apt', 'g++', 'g++'],
    ['apt', 'libstdc++6', 'libstdc++6'],
    ['apt', 'python3.11', 'python3.11'],
    ['pip', 'PyYAML', 'pyyaml'],
    ['pip', 'zope.interface', 'zope-interface'],
    ['pip', 'ruamel.yaml', 'ruamel-yaml'],
    ['pip', 'backports.zoneinfo', 'backports-zoneinfo'],
    ['pip', 'zipp', 'zipp'],
    ['apt', 'zip', 'zip'],
    ['apt', 'gcc-13-base', 'gcc-13-base'],
    ['pip', 'ruamel_yaml', 'ruamel-yaml'],
  ])('are accepted as %s lists them, in one spelling: %s', (driver, name, known) => {
    expect(prepared('machine_package', { driver, name })).toEqual({ attributes: { driver, name: known }, problems: [] })
  })
})

describe('machine: an unreadable object is unknown, and never absent', () => {
  const read = (name: string, attributes: JsonObject, ...answers: Parameters<typeof aTransport>) =>
    typeIn('/home/me', name, { npmPrefix: '/home/me/npm' }).read(
      { address: 'a', attributes },
      { transport: aTransport(...answers) },
    )
  const file = (content: string) => anAnswer(200, { content, mode: '0644' })
  const out = (stdout: string) => anAnswer(200, { exitCode: 0, stdout, stderr: '' })
  const failed = (detail: string) => anAnswer(422, { exitCode: 1, stdout: '', stderr: detail, detail })
  const gone = anAnswer(501, { detail: 'there is no such program here' })
  const denied = anAnswer(403, { detail: 'permission denied' })
  const alias = { file: '.bashrc', name: 'll' }
  const profile = { name: 'prod', credentialsFile: 'c', configFile: 'd', region: 'x', settings: { s3: 'x' } }
  const service = { unit: 'ssh.service', scope: 'system' }

  it.each<[string, string, JsonObject, Parameters<typeof aTransport>, object]>([
    ['no right', 'machine_alias', alias, [denied], { reason: 'forbidden', detail: 'permission denied' }],
    [
      'a link',
      'machine_alias',
      alias,
      [anAnswer(409, { detail: 'it is a link where a regular file was expected' })],
      { reason: 'unsupported' },
    ],
    [
      'no text',
      'machine_alias',
      alias,
      [anAnswer(200, { contentBase64: '/w==', mode: '0644' })],
      { reason: 'unsupported' },
    ],
    ['two of them', 'machine_alias', alias, [file("alias ll='a'\nalias ll='b'\n")], { reason: 'ambiguous' }],
    ['another form', 'machine_alias', alias, [file('alias ll="$(x)"\n')], { reason: 'bad_body' }],
    ['a path outside', 'machine_alias', { ...alias, file: '/etc/x' }, [file('')], { reason: 'outside_root' }],
    [
      'a name that is open',
      'machine_alias',
      { ...alias, name: { $after: 'x.y', pointer: '/n' } },
      [file('')],
      { reason: 'unresolved' },
    ],
    ['no right to one of two files', 'machine_aws_profile', profile, [anAnswer(404), denied], { reason: 'forbidden' }],
    [
      'a key with lines of its own',
      'machine_aws_profile',
      profile,
      [anAnswer(404), file('[profile prod]\ns3 =\n  a = 1\n')],
      { reason: 'bad_body' },
    ],
    ['no right for git', 'machine_git_config', { file: 'a', key: 'a.b' }, [denied], { reason: 'forbidden' }],
    [
      'no git',
      'machine_git_config',
      { file: 'a', key: 'a.b' },
      [file(''), gone],
      { reason: 'network', detail: 'the program git is not there' },
    ],
    [
      'a file that git does not understand',
      'machine_git_config',
      { file: 'a', key: 'a.b' },
      [file('['), failed('bad config line 1')],
      { reason: 'server_error', detail: 'git: bad config line 1' },
    ],
    [
      'several values',
      'machine_git_config',
      { file: 'a', key: 'a.b' },
      [file(''), out('a.b\n1\0a.b\n2\0')],
      { reason: 'ambiguous' },
    ],
    ['no dpkg', 'machine_package', { driver: 'apt', name: 'git' }, [gone], { reason: 'network' }],
    [
      'a package in between',
      'machine_package',
      { driver: 'apt', name: 'git' },
      [out('iF \tgit\t1\n')],
      { reason: 'erred', detail: 'git is in the state iF, neither installed nor removed' },
    ],
    ['no list', 'machine_package', { driver: 'apt', name: 'git' }, [out('what?\n')], { reason: 'bad_body' }],
    [
      'a package of npm without a version',
      'machine_package',
      { driver: 'npm', name: 'a' },
      [file('{}')],
      { reason: 'bad_body', detail: 'the package.json of a has no version' },
    ],
    [
      'a package of npm that is a link',
      'machine_package',
      { driver: 'npm', name: 'a' },
      [anAnswer(404), anAnswer(409, { detail: 'it is a regular file where a folder was expected' })],
      { reason: 'unsupported' },
    ],
    [
      'a folder that npm left',
      'machine_package',
      { driver: 'npm', name: 'a' },
      [anAnswer(404), anAnswer(200, { mode: '0755' })],
      { reason: 'bad_body' },
    ],
    [
      'a hanging program',
      'machine_package',
      { driver: 'pip', name: 'a' },
      [anAnswer(408, { detail: 'it took long' })],
      { reason: 'timeout' },
    ],
    [
      'no systemd',
      'machine_service',
      service,
      [failed('System has not been booted with systemd')],
      { reason: 'server_error', detail: 'systemctl: System has not been booted with systemd' },
    ],
    ['no systemctl', 'machine_service', service, [gone], { reason: 'network' }],
    [
      'a service on its way',
      'machine_service',
      service,
      [out('LoadState=loaded\nActiveState=activating\nUnitFileState=enabled\n')],
      { reason: 'busy' },
    ],
    ['an answer without a state', 'machine_service', service, [out('')], { reason: 'bad_body' }],
  ])('is reported with its reason: %s', async (_, type, attributes, answers, expected) => {
    expect(await read(type, attributes, ...answers)).toMatchObject({ kind: 'unknown', ...expected })
  })

  it.each<[string, string, JsonObject, Parameters<typeof aTransport>, object]>([
    [
      'a removed package that left files',
      'machine_package',
      { driver: 'apt', name: 'git' },
      [out('rc \tgit\t1\n')],
      { kind: 'absent' },
    ],
    [
      'a package that is held',
      'machine_package',
      { driver: 'apt', name: 'git' },
      [out('hi \tgit\t1:2.3\n')],
      { attributes: { version: '1:2.3' } },
    ],
    [
      'a version is no part of another',
      'machine_package',
      { driver: 'npm', name: '@a/b' },
      [file('{"version":"3.20.1"}')],
      { attributes: { version: '3.20.1' } },
    ],
    [
      'pip spells a name in its own way',
      'machine_package',
      { driver: 'pip', name: 'a-b' },
      [out('[{"name":"A_b","version":"1"}]')],
      { attributes: { version: '1' } },
    ],
    [
      'nothing of npm',
      'machine_package',
      { driver: 'npm', name: 'a' },
      [anAnswer(404), anAnswer(404)],
      { kind: 'absent' },
    ],
    [
      'a key that is true',
      'machine_git_config',
      { file: 'a', key: 'a.b' },
      [file(''), out('a.b\0')],
      { attributes: { value: 'true' } },
    ],
    [
      'a value of several lines',
      'machine_git_config',
      { file: 'a', key: 'a.b' },
      [file(''), out('a.b\n1\n2\0')],
      { attributes: { value: '1\n2' } },
    ],
    [
      'a service',
      'machine_service',
      service,
      [out('LoadState=loaded\nActiveState=failed\nUnitFileState=enabled\n')],
      { attributes: { active: false, enabled: true } },
    ],
    [
      'a service that is unknown',
      'machine_service',
      service,
      [out('LoadState=not-found\nActiveState=inactive\nUnitFileState=\n')],
      { kind: 'absent' },
    ],
  ])('but %s is known', async (_, type, attributes, answers, expected) => {
    expect(await read(type, attributes, ...answers)).toMatchObject(expected)
  })
})

describe('machine: requests', () => {
  it('include only reads that a check may send', async () => {
    const types = Object.values(providerIn('/home/me', { npmPrefix: '/home/me/npm' }).types)
    const attributes = (type: ResourceType): JsonObject => ({
      path: 'a',
      file: 'a',
      name: 'a',
      startsWith: 'a',
      key: 'a.b',
      unit: 'ssh.service',
      scope: 'system',
      ...(type.name === 'machine_package' ? { driver: 'apt' } : {}),
    })
    const wide = anAnswer(200, { content: '', mode: '0644', target: 'x', names: ['a', '@b'], stdout: '', exitCode: 0 })
    for (const type of types) {
      const transport = aTransport(...Array.from({ length: 40 }, () => wide))
      await type.read({ address: 'a', attributes: attributes(type) }, { transport })
      await type.list?.([], { transport })
      if (type.name === 'machine_package')
        for (const driver of ['npm', 'pip'])
          await type.read({ address: 'a', attributes: { driver, name: 'a' } }, { transport })
      expect(transport.sent.length, type.name).toBeGreaterThan(0)
      for (const request of transport.sent) expect(isRead(request), JSON.stringify(request)).toBe(true)
    }
  })

  const commandsOf = (name: string, desired: JsonObject, before: JsonObject | null) =>
    typeIn('/home/me', name, { npmPrefix: '/home/me/npm' }).commands({
      address: 'a',
      action: before === null ? 'create' : 'update',
      desired,
      before,
      after: desired,
      diff: { kind: 'value', action: 'update' },
      changed: Object.keys(desired).map((member) => [member]),
    })

  it('never use the value of a user as an option', () => {
    const body = (name: string, desired: JsonObject) =>
      commandsOf(name, desired, null)[0]?.request.body as { args: Json[] }
    expect(body('machine_package', { driver: 'apt', name: 'git', version: '1:2' }).args.slice(-2)).toEqual([
      '--',
      'git=1:2',
    ])
    expect(body('machine_package', { driver: 'npm', name: '@a/b', version: '2' }).args.slice(-2)).toEqual([
      '--',
      '@a/b@2',
    ])
    expect(body('machine_package', { driver: 'pip', name: 'a', from: '/x/a.whl' }).args.slice(-2)).toEqual([
      '--',
      '/x/a.whl',
    ])
    expect(body('machine_service', { unit: 'a.service', scope: 'user', active: true }).args).toEqual([
      '--user',
      '--no-ask-password',
      'start',
      '--',
      'a.service',
    ])
  })

  it('enable a service before it is started, and undo each step alone', () => {
    const drafts = commandsOf(
      'machine_service',
      { unit: 'a.service', enabled: true, active: true },
      { unit: 'a.service', enabled: false, active: false },
    )
    expect(drafts.map(({ description, grade }) => [description, grade])).toEqual([
      ['enable a.service', 'reversible'],
      ['start a.service', 'reversible'],
    ])
  })

  it('contain no secret, and cannot write a former secret again', () => {
    const sealed = { $sealed: 'hmac-sha256:0' }
    const before = { name: 'p', credentialsFile: 'c', configFile: 'd', secretAccessKey: sealed, accessKeyId: 'AKIA' }
    const [draft, ...others] = commandsOf(
      'machine_aws_profile',
      { ...before, secretAccessKey: { $secret: 'env:K' } },
      before,
    )
    expect(others).toEqual([])
    expect(draft).toMatchObject({ grade: 'lossy' })
    expect(draft).not.toHaveProperty('inverse')
    expect(JSON.stringify(draft?.request)).not.toContain('sealed')
    const line = { file: 'a', name: 'A', value: sealed, expand: false }
    expect(commandsOf('machine_env', { ...line, value: 'x' }, line)).toMatchObject([{ grade: 'lossy' }])
    expect(JSON.stringify(commandsOf('machine_env', { ...line, value: 'x' }, line))).not.toContain('sealed')
  })
})
