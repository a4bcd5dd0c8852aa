import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eachOf, long } from '../../builders/long.ts'
import { githubStandin } from '../../builders/servers/github-standin.ts'
import { runCommand, tearoom } from '../../builders/workspaces/command.ts'

const token = 'ghp_canary_of_the_pull_request'
let room: Awaited<ReturnType<typeof tearoom>>
let github: Awaited<ReturnType<typeof githubStandin>>
const run = (...args: readonly string[]) =>
  runCommand(args, {
    folder: room.folder,
    variables: { GITHUB_TOKEN: token, GITHUB_REPOSITORY: 'acme/config', GITHUB_API_URL: github.url },
  })
const configuration = () => readFile(join(room.folder, 'plumbline.yaml'), 'utf8')
const changeOutside = (text: string) => writeFile(join(room.folder, 'machine', 'motd'), text)
const push = async () => github.push({ 'plumbline.yaml': await configuration(), 'README.md': 'x' })
const branch = 'plumbline/tea-room'

beforeEach(async () => {
  room = await tearoom()
  github = await githubStandin({ token })
  await mkdir(join(room.folder, '.git'))
  await writeFile(join(room.folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  await run('check')
  await run('apply', '--yes')
  await push()
  await changeOutside('Welcome to the tea house.\nThe kettle is on from half past three.\n')
})
afterEach(async () => {
  await github.close()
  await room.remove()
})

describe('accept --pull-request', () => {
  test('opens one with the observed values, and changes nothing on this machine', long, async () => {
    const before = await configuration()
    const { code, stderr } = await run('accept', '--all', '--pull-request')
    expect([code, stderr.includes('opened pull request #1: https://github.test/acme/config/pull/1')]).toEqual([0, true])
    expect(await configuration()).toBe(before)
    expect(github.fileIn('main', 'plumbline.yaml')).toBe(before)
    expect(github.fileIn(branch, 'plumbline.yaml')).toBe(before.replace('tea room.', 'tea house.'))
    expect(github.fileIn(branch, 'README.md')).toBe('x')
    const [pull] = github.pulls
    expect(pull).toMatchObject({ title: 'Accept what changed in tea-room', head: branch, base: 'main' })
    expect(pull?.body).toContain('| `host_file.motd` | `content` |')
    expect(pull?.body).toContain('### `tea-room`')
    expect(JSON.stringify([github.pulls, stderr])).not.toContain(token)
  })

  test('shows no answer that repeats the token', async () => {
    github.faults.push((path) =>
      path.endsWith('/pulls')
        ? { status: 201, body: { number: 1, html_url: `https://github.test/?t=${token}` } }
        : undefined,
    )
    const { code, stdout, stderr } = await run('accept', '--all', '--pull-request')
    expect([code, stderr]).toEqual([1, expect.stringContaining('the answer about the pull request repeats the token')])
    expect(stdout + stderr).not.toContain('canary')
  })

  test('brings the open one up to date, and leaves no second one', long, async () => {
    await run('accept', '--all', '--pull-request')
    await changeOutside('Welcome to the tea palace.\nThe kettle is on from half past three.\n')
    const { code, stdout } = await run('accept', '--all', '--pull-request', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { pullRequest: { number: 1, updated: true }, written: false }])
    expect(github.fileIn(branch, 'plumbline.yaml')).toContain('tea palace.')
    expect(github.pulls).toHaveLength(1)
  })

  test('opens nothing where nothing changed', long, async () => {
    await run('apply', '--yes')
    const { code } = await run('accept', '--all', '--pull-request')
    expect([code, github.pulls]).toEqual([0, []])
  })

  eachOf(
    test,
    1,
  )([
    [
      'the base has another text',
      async () => github.push({ 'plumbline.yaml': 'workspace: tea-room\n' }),
      /another text in main/,
    ],
    ['the base has no such file', async () => github.push({ 'x.yaml': '' }), /main has no file plumbline\.yaml/],
    [
      'the token may not write',
      async () => github.faults.push((path) => (path.endsWith('/git/commits') ? { status: 403 } : undefined)),
      /the commit: 403; the token needs the permissions contents=write and pull_requests=write/,
    ],
    [
      'the token is another one',
      async () => github.faults.push(() => ({ status: 401, body: { message: token } })),
      /the token was not accepted \(401\)/,
    ],
  ])('says why it opens none: %s', async (_, arrange, why) => {
    await arrange()
    const { code, stderr } = await run('accept', '--all', '--pull-request')
    expect([code !== 0, stderr]).toEqual([true, expect.stringMatching(why)])
    expect(stderr).toContain('PULL_REQUEST_FAILED')
    expect(stderr).not.toContain(token)
    expect([github.pulls, github.fileIn(branch, 'plumbline.yaml')]).toEqual([[], undefined])
  })

  test('needs nothing that is about this folder', async () => {
    expect((await run('accept', '--all', '--pull-request', '--yes')).stderr).toContain('--pull-request, or --check')
    expect((await run('accept', '--all', '--base', 'main')).stderr).toContain('need --pull-request')
  })
})
