import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Request } from '../../../../core/engine/schema/command.ts'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { importObjects } from '../../../../core/tools/authoring/index.ts'
import { long } from '../../../builders/long.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const workspace = 'my-laptop'
let folder: ReturnType<typeof temporaryFolder>
let home: string

beforeEach(() => {
  folder = temporaryFolder()
  home = join(folder.path, 'home')
  mkdirSync(home)
})
afterEach(() => folder.remove())

const at = (path: string): string => join(home, path)
const put = (path: string, text: string): void => {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), text)
}
const textOf = (path: string): string => readFileSync(at(path), 'utf8')

const start = (resources: string) => {
  const sent: Request[] = []
  const written: string[] = []
  const given = testDeps({
    bundle: yaml(`
workspace: ${workspace}
providers:
  machine: { source: machine, with: { home: ${home}, npmPrefix: ${join(home, 'npm')} } }
resources:${resources}
`),
    wire: (inner) => ({
      send: (request, signal) => {
        if (request.effect !== 'read') sent.push(request)
        return inner.send(request, signal)
      },
    }),
  })
  const check = () => checkWorkspace({ workspace, trigger: 'cli', actor }, given.deps)
  const apply = async (digest: string) => {
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'tidy', actor }, given.deps)
    return runApply({ workspace, applyId: id }, given.deps)
  }
  const checkAndApply = async () => apply((await check()).run.digests?.commands ?? '')
  const ledger = async () => {
    const found = []
    for await (const entry of readLedger(given.deps.store, workspace)) found.push(entry)
    return JSON.stringify(found)
  }
  return { ...given, sent, written, check, apply, checkAndApply, ledger }
}

/** What was planned, applied, moved by hand and found again. */
const story = async (resources: string, byHand: () => void, address: string, secrets: Record<string, string> = {}) => {
  const run = start(resources)
  Object.assign(run.secrets, secrets)
  const before = readdirSync(home, { recursive: true })
  const first = await run.check()
  // No program that a check runs leaves anything behind.
  expect(readdirSync(home, { recursive: true })).toEqual(before)
  expect(first.run.status, JSON.stringify(first.plan?.unchecked)).toBe('changes')
  const applied = await run.apply(first.run.digests?.commands ?? '')
  expect(applied, JSON.stringify(applied)).toMatchObject({ status: 'succeeded' })
  expect((await run.check()).run.status).toBe('in_sync')
  byHand()
  const drifted = await run.check()
  expect(drifted.run.status).toBe('changes')
  expect(JSON.stringify(drifted.plan?.changes)).toContain('"cause":"drift"')
  expect(drifted.plan?.changes.map((change) => change.address)).toEqual([address])
  expect(await run.apply(drifted.run.digests?.commands ?? '')).toMatchObject({ status: 'succeeded' })
  expect((await run.check()).run.status).toBe('in_sync')
  const stored = JSON.stringify([first, drifted, applied]) + (await run.ledger())
  for (const secret of Object.values(secrets)) expect(stored).not.toContain(secret)
  return { ...run, drifted }
}

describe('drift, repair, a change by hand, and repair again lead to in sync', () => {
  it('for an alias', async () => {
    put('.bashrc', 'case $- in *i*) ;; esac\n')
    await story(
      `
  - { type: machine_alias, name: ll, spec: { name: ll, value: "ls -l 'a b'" } }`,
      () => put('.bashrc', textOf('.bashrc').replace("alias ll='ls -l '\\''a b'\\'''", "alias ll='rm -rf /'")),
      'machine_alias.ll',
    )
    expect(textOf('.bashrc')).toBe("case $- in *i*) ;; esac\nalias ll='ls -l '\\''a b'\\'''\n")
  })

  it('for a block', async () => {
    await story(
      `
  - { type: machine_block, name: app, spec: { file: .profile, name: app, content: "umask 027\\n" } }`,
      () => put('.profile', '# emptied\n'),
      'machine_block.app',
    )
    expect(textOf('.profile')).toBe('# emptied\n# >>> plumbline app >>>\numask 027\n# <<< plumbline app <<<\n')
  })

  it('for a key of git', long, async () => {
    put('.gitconfig', '; mine\n[user]\n\tname = Me\n')
    await story(
      `
  - { type: machine_git_config, name: email, spec: { key: user.email, value: me@example.org } }`,
      () => put('.gitconfig', textOf('.gitconfig').replace('me@example.org', 'you@example.org')),
      'machine_git_config.email',
    )
    expect(textOf('.gitconfig')).toBe('; mine\n[user]\n\tname = Me\n\temail = me@example.org\n')
  })

  it('for a key of an AWS profile, with the rest of the files unchanged', async () => {
    const credentials =
      '# mine\n[default]\naws_access_key_id=AKIAOTHER\naws_secret_access_key=their secret\n\n[prod]\n; old\naws_access_key_id = AKIAOLD\nx_custom = 1\naws_secret_access_key = an old secret\n'
    put('.aws/credentials', credentials)
    chmodSync(at('.aws/credentials'), 0o600)
    const { sent } = await story(
      `
  - type: machine_aws_profile
    name: prod
    spec: { name: prod, accessKeyId: AKIANEW, secretAccessKey: { secret: "env:AWS_KEY" }, region: eu-central-1 }`,
      () => put('.aws/credentials', textOf('.aws/credentials').replace('the+new/secret', 'a stolen secret')),
      'machine_aws_profile.prod',
      { 'env:AWS_KEY': 'the+new/secret', 'env:OTHER': 'their secret' },
    )
    expect(textOf('.aws/credentials')).toBe(
      credentials.replace('AKIAOLD', 'AKIANEW').replace('an old secret', 'the+new/secret'),
    )
    expect(textOf('.aws/config')).toBe('[profile prod]\nregion = eu-central-1\n')
    expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'PATCH'])
    // The other profile is in no request, and what was there before neither.
    expect(JSON.stringify(sent)).not.toMatch(/their secret|an old secret|a stolen secret|AKIAOTHER/)
  })

  it('for a secret variable', async () => {
    await story(
      `
  - { type: machine_env, name: token, spec: { name: TOKEN, value: { secret: "env:TOKEN" } } }`,
      () => put('.profile', "export TOKEN='stolen'\n"),
      'machine_env.token',
      { 'env:TOKEN': "it's a $(secret)" },
    )
    expect(textOf('.profile')).toBe("export TOKEN='it'\\''s a $(secret)'\n")
  })

  it('for a global package of npm, without a network', long, async () => {
    put('cow/package.json', JSON.stringify({ name: 'plumb-cow', version: '1.2.3', bin: { cow: 'cow.js' } }))
    put('cow/cow.js', '#!/usr/bin/env node\nconsole.log("moo")\n')
    await story(
      `
  - { type: machine_package, name: cow, spec: { driver: npm, name: plumb-cow, version: 1.2.3, from: ${at('cow')} } }`,
      () => {
        const path = 'npm/lib/node_modules/plumb-cow/package.json'
        put(path, textOf(path).replace('1.2.3', '1.2.30'))
      },
      'machine_package.cow',
    )
    expect(existsSync(at('npm/bin/cow'))).toBe(true)
  })
})

const three = `
  - { type: machine_alias, name: ll, spec: { name: ll, value: ls -l } }
  - { type: machine_env, name: editor, spec: { file: .bashrc, name: EDITOR, value: vim } }
  - { type: machine_block, name: app, spec: { file: .bashrc, name: app, content: "a=1" } }
  - { type: machine_line, name: umask, spec: { file: .bashrc, startsWith: "umask ", line: umask 027 } }`

describe('several resources in one file', () => {
  it('are changed in one apply, with other lines unchanged', async () => {
    put('.bashrc', '# mine\r\numask 022\r\n# end')
    const { checkAndApply, check, sent } = start(three)
    expect(await checkAndApply()).toMatchObject({ status: 'succeeded' })
    expect(textOf('.bashrc').split('\r\n').toSorted()).toEqual(
      [
        '# mine',
        'umask 027',
        '# end',
        "alias ll='ls -l'",
        "export EDITOR='vim'",
        '# >>> plumbline app >>>',
        'a=1',
        '# <<< plumbline app <<<',
      ].toSorted(),
    )
    expect(sent).toHaveLength(4)
    expect((await check()).run.status).toBe('in_sync')
  })

  it('create the file together', async () => {
    const { checkAndApply, check } = start(three)
    expect(await checkAndApply()).toMatchObject({ status: 'succeeded' })
    expect((await check()).run.status).toBe('in_sync')
  })

  it('tolerate another changed line between plan and apply, but no change of their own part', async () => {
    const { check, apply, sent } = start(three)
    const { run } = await check()
    put('.bashrc', '# written meanwhile\n')
    expect(await apply(run.digests?.commands ?? '')).toMatchObject({ status: 'succeeded' })
    expect(textOf('.bashrc')).toContain('# written meanwhile\n')
    put('.bashrc', textOf('.bashrc').replace('ls -l', 'ls'))
    const drifted = await check()
    put('.bashrc', textOf('.bashrc').replace("'ls'", "'ls -a'"))
    sent.length = 0
    expect(await apply(drifted.run.digests?.commands ?? '')).toMatchObject({
      status: 'refused',
      error: { code: 'STALE_PLAN' },
    })
    expect(sent).toEqual([])
  })

  it('leave a part alone that changes right before its write', async () => {
    put('.bashrc', "alias ll='ls'\n")
    const given = start(three)
    const { run } = await given.check()
    let isFirst = true
    const { transport } = given.deps
    const deps = {
      ...given.deps,
      transport: (confines: Parameters<typeof transport>[0]) => {
        const inner = transport(confines)
        return {
          send: (request: Request) => {
            const isIt = request.method === 'PATCH' && JSON.stringify(request.body).includes('alias')
            // After the read before the write: only the edit itself can see it.
            if (isIt && isFirst) put('.bashrc', textOf('.bashrc').replace("ll='ls'", "ll='mine'"))
            if (isIt) isFirst = false
            return inner.send(request)
          },
        }
      },
    }
    const { id } = await requestApply(
      { workspace, mode: 'execute', digest: run.digests?.commands ?? '', reason: 'x', actor },
      deps,
    )
    const applied = await runApply({ workspace, applyId: id }, deps)
    expect(applied.status).not.toBe('succeeded')
    expect(JSON.stringify(applied.outcomes)).toContain('it is not as it was when this was planned')
    expect(textOf('.bashrc')).toContain("alias ll='mine'")
  })

  it('are refused if two of them are the same alias, however the file is written', async () => {
    const two = start(`
  - { type: machine_alias, name: a, spec: { name: ll, value: ls -l } }
  - { type: machine_alias, name: b, spec: { file: ./.bashrc, name: ll, value: ls } }`)
    expect((await two.check()).run).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('machine_alias.b is the same object as machine_alias.a') },
    })
    expect(existsSync(at('.bashrc'))).toBe(false)
  })
})

describe('an unreadable object is unchecked', () => {
  it('if it is a link to the outside, not a text, too large, or of another kind', async () => {
    writeFileSync(join(folder.path, 'outside'), 'theirs\n')
    symlinkSync(join(folder.path, 'outside'), at('link'))
    writeFileSync(at('bytes'), Buffer.from([0xff, 0xfe]))
    put('large', 'x'.repeat(1_100_000))
    mkdirSync(at('folder'))
    const { check } = start(`
  - { type: machine_line, name: link, spec: { file: link, line: x } }
  - { type: machine_line, name: bytes, spec: { file: bytes, line: x } }
  - { type: machine_line, name: large, spec: { file: large, line: x } }
  - { type: machine_line, name: folder, spec: { file: folder, line: x } }
  - { type: machine_link, name: folder, spec: { path: folder, target: x } }
  - { type: machine_directory, name: link, spec: { path: link } }`)
    const { run, plan } = await check()
    expect(run.status).toBe('incomplete')
    expect(plan?.commands).toEqual([])
    expect(plan?.unchecked.map(({ address, reason }) => [address, reason]).toSorted()).toEqual([
      ['machine_directory.link', 'unsupported'],
      ['machine_line.bytes', 'unsupported'],
      ['machine_line.folder', 'unsupported'],
      ['machine_line.large', 'bad_body'],
      ['machine_line.link', 'unsupported'],
      ['machine_link.folder', 'unsupported'],
    ])
    expect(readFileSync(join(folder.path, 'outside'), 'utf8')).toBe('theirs\n')
  })
})

describe('the import of a machine', () => {
  it('writes what exists, and its plan is empty', async () => {
    put(
      '.bashrc',
      'alias ll=\'ls -l\'\n  alias g="git status" # short\nexport EDITOR=vim\n# >>> plumbline app >>>\na=1\n# <<< plumbline app <<<\n',
    )
    put('.gitconfig', '[User]\n\tName = Me "and" you\n[url "https://git.example.org/A/"]\n\tinsteadOf = work:\n')
    put('.aws/credentials', '[prod]\naws_access_key_id = AKIA1\naws_secret_access_key = the secret\n')
    put('.aws/config', '[profile prod]\nregion = eu-central-1\ncli_pager =\n[sso-session x]\n')
    const { deps, check, current } = start(' []')
    const types = ['machine_alias', 'machine_env', 'machine_block', 'machine_git_config', 'machine_aws_profile']
    const report = await importObjects({ workspace, types: types.map((type) => ({ type })), where: {} }, deps)
    expect(report).toMatchObject({ differing: [], unchecked: [], issues: [], unread: [], unlisted: [] })
    expect(report.resources.map(({ address }) => address).toSorted()).toEqual([
      'machine_alias.bashrc_g',
      'machine_alias.bashrc_ll',
      'machine_aws_profile.prod_aws_credentials_aws_config',
      'machine_block.bashrc_app',
      'machine_env.bashrc_EDITOR',
      'machine_git_config.gitconfig_url_https_git_example_org_A_insteadof',
      'machine_git_config.gitconfig_user_name',
    ])
    expect(report.text).not.toContain('the secret')
    const entry = current.bundle.files['plumbline.yaml'] ?? ''
    current.bundle = yaml(entry.replace('resources: []', report.text))
    const { run } = await check()
    expect(run.status).toBe('in_sync')
  })
})

describe('the import of a machine', () => {
  it('leaves out what may be a secret, and says so', async () => {
    put('.profile', "export GITHUB_TOKEN='a-secret'\nexport DB='postgres://me:a-secret@db/x'\nexport EDITOR='vim'\n")
    put('.gitconfig', '[http "https://git.example.org/"]\n\textraheader = a-secret\n[user]\n\tname = Me\n')
    put('.aws/config', '[profile prod]\nregion = x\ncredential_process = print a-secret\n')
    const { deps } = start(' []')
    const types = ['machine_env', 'machine_git_config', 'machine_aws_profile'].map((type) => ({ type }))
    const report = await importObjects({ workspace, types, where: {} }, deps)
    expect(report.unlisted.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('within file=.profile: GITHUB_TOKEN, DB: the value may be a secret'),
      expect.stringContaining('within file=.gitconfig: http.https://git.example.org/.extraheader'),
    ])
    expect(report.resources).toHaveLength(3)
    expect(JSON.stringify(report)).not.toContain('a-secret')
  })
})

describe('a value that nobody declared', () => {
  it('is not shown where a secret becomes a plain value', async () => {
    const secret = "an old $ecret 'value'"
    const run = start(`
  - { type: machine_env, name: token, spec: { name: TOKEN, value: { secret: "env:TOKEN" } } }
  - { type: machine_block, name: b, spec: { file: .profile, name: b, content: { secret: "env:TOKEN" } } }`)
    run.secrets['env:TOKEN'] = secret
    expect(await run.checkAndApply()).toMatchObject({ status: 'succeeded' })
    const entry = run.current.bundle.files['plumbline.yaml'] ?? ''
    run.current.bundle = yaml(entry.replaceAll('{ secret: "env:TOKEN" }', 'plain'))
    const checked = await run.check()
    expect(checked.plan?.changes).toHaveLength(2)
    const applied = await run.apply(checked.run.digests?.commands ?? '')
    expect(applied).toMatchObject({ status: 'succeeded' })
    const stored = JSON.stringify([checked, applied]) + (await run.ledger())
    expect(stored).not.toContain('an old')
    expect(textOf('.profile')).toContain("export TOKEN='plain'")
  })

  it('is in no plan and no ledger as a key of a profile', async () => {
    put('.aws/config', '[profile prod]\nregion = x\ncredential_process = print --password hidden\n')
    const run = start(`
  - { type: machine_aws_profile, name: prod, spec: { name: prod, region: eu-central-1, settings: { output_format: x } } }`)
    const checked = await run.check()
    const applied = await run.apply(checked.run.digests?.commands ?? '')
    expect(applied).toMatchObject({ status: 'succeeded' })
    const again = await run.check()
    expect(again.run.status).toBe('in_sync')
    expect(JSON.stringify([checked, applied, again]) + (await run.ledger())).not.toContain('hidden')
    expect(textOf('.aws/config')).toContain('credential_process = print --password hidden\n')
  })
})

describe('machine: a value of another object', () => {
  it('is checked as a written one when it is known, and is no argument before', async () => {
    put('npm/lib/node_modules/plumb-cow/package.json', '{"version":"1.2.3-x.tgz"}')
    const { check, sent } = start(`
  - { type: machine_package, name: cow, spec: { driver: npm, name: plumb-cow } }
  - { type: machine_package, name: new, spec: { driver: npm, name: plumb-new } }
  - { type: machine_package, name: same, spec: { driver: npm, name: plumb-hen, version: "\${resource.machine_package.cow.version}" } }
  - { type: machine_package, name: late, spec: { driver: npm, name: plumb-hen2, version: "\${resource.machine_package.new.version}" } }
  - { type: machine_package, name: other, spec: { driver: npm, name: "\${resource.machine_package.cow.version}" } }`)
    const { plan } = await check()
    const said = Object.fromEntries((plan?.unchecked ?? []).map(({ address, ...rest }) => [address, rest]))
    const refused = (text: string) => ({ reason: 'unsupported', detail: expect.stringContaining(text) })
    expect(said).toMatchObject({
      'machine_package.same': refused('version refers to a value that does not fit: this is no version'),
      'machine_package.late': refused('version is known during the apply only'),
      'machine_package.other': refused('name refers to a value that does not fit: this is no name of a package'),
    })
    expect(sent).toEqual([])
  })
})
