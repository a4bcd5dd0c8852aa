import { describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { toCurl } from '../../../core/engine/transport/curl/curl.ts'
import { declaredReads, environmentNames } from '../../../core/engine/transport/programs.ts'
import { isRead } from '../../../core/engine/transport/read-only.ts'

const list = ['config', '--file', '/home/me/.gitconfig', '--null', '--list']
const show = ['--system', '--no-pager', 'show', '--property=LoadState,ActiveState,UnitFileState', '--']

const call = (url: string, body: Json, rest: object = {}) => ({
  method: 'POST',
  url,
  effect: 'read' as const,
  body,
  ...rest,
})

describe('the list of programs that only read', () => {
  it.each<[string, string, Json]>([
    ['git', 'exec:///git', { args: list }],
    ['with a variable', 'exec:///git', { args: list, env: { HOME: '/home/me' } }],
    ['a service', 'exec:///systemctl', { args: [...show, 'ssh.service'] }],
    ['a template of a service', 'exec:///systemctl', { args: [...show, 'getty@tty1.service'] }],
  ])('allows the reading call of %s', (_, url, body) => {
    expect(isRead(call(url, body))).toBe(true)
  })

  it.each<[string, string, Json, object?]>([
    ['one that says that it writes', 'exec:///git', { args: list }, { effect: 'write' }],
    ['another method', 'exec:///git', { args: list }, { method: 'GET' }],
    ['another program', 'exec:///sh', { args: list }],
    ['a program by its path', 'exec:////usr/bin/git', { args: list }],
    ['a program on a host', 'exec://host/git', { args: list }],
    ['an encoded name', 'exec:///gi%74', { args: list }],
    ['a query', 'exec:///git?a', { args: list }],
    ['capitals', 'EXEC:///git', { args: list }],
    ['nothing', 'exec:///git', null],
    ['no arguments', 'exec:///git', { args: [] }],
    ['fewer arguments', 'exec:///git', { args: list.slice(0, 4) }],
    ['one more', 'exec:///git', { args: [...list, '--edit'] }],
    ['another order', 'exec:///git', { args: list.toReversed() }],
    ['a relative file', 'exec:///git', { args: list.with(2, 'x') }],
    ['an option in the place of a file', 'exec:///git', { args: list.with(2, '--global') }],
    ['a write', 'exec:///git', { args: ['config', '--file', '/x', 'user.name', 'me'] }],
    ['an option in the place of a unit', 'exec:///systemctl', { args: [...show, '--now'] }],
    ['two lines', 'exec:///systemctl', { args: [...show, 'a\n--now'] }],
    ['another member', 'exec:///git', { args: list, stdin: 'x' }],
    ['a variable that runs programs', 'exec:///git', { args: list, env: { PATH: '/tmp' } }],
    ['a pager', 'exec:///git', { args: list, env: { GIT_PAGER: 'sh' } }],
    ['a mark in a variable', 'exec:///git', { args: list, env: { HOME: { $secret: 'env:A' } } }],
    ['an inherited name', 'exec:///git', { args: list, env: { constructor: 'x' } }],
  ])('does not allow %s', (_, url, body, rest) => {
    expect(isRead(call(url, body, rest))).toBe(false)
  })

  it('lets no argument be taken for an option', () => {
    const forms = declaredReads.flatMap(({ args }) => args.filter((each) => typeof each !== 'string'))
    expect(forms.length).toBeGreaterThan(3)
    for (const form of forms) {
      for (const option of ['-', '--', '-x', '--now', '', ' -x', 'a\0b'])
        expect(form.test(option), `${form} ${option}`).toBe(false)
    }
  })

  it('has no variable that names what runs or is loaded', () => {
    for (const name of environmentNames)
      expect(name).not.toMatch(
        /^(PATH|LD_|DYLD_|NODE_|PYTHON|PERL|GIT_|npm_|PIP_|APT_|BASH|ENV|IFS|DBUS|SHELL|EDITOR|PAGER)/i,
      )
  })
})

it.each<[string, Json, string]>([
  [
    'exec:///git',
    { args: ['config', '--file', '/home/me/.gitconfig', 'user.name', "it's $(id)"], env: { HOME: '/home/me' } },
    `env -i PATH="$PATH" LANG=C.UTF-8 LC_ALL=C.UTF-8 HOME=/home/me git config --file /home/me/.gitconfig user.name 'it'\\''s $(id)'`,
  ],
  ['exec:///git', { args: ['a\0b'] }, '# "POST exec:///git": contains a NUL character'],
  ['exec:///../git', { args: [] }, '# "POST exec:///../git": no shell form'],
])('%s %j is shown as the line %s', (url, body, line) => {
  expect(toCurl({ method: 'POST', url, effect: 'write', body })).toBe(line)
})
