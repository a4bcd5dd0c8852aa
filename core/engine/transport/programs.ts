import type { Request } from '../schema/command.ts'
import { isArray, isObject, type Json } from '../schema/json.ts'

/*
 * Programs of this machine are targets: `POST exec:///<program>` with `{ args, env }`. No shell is involved. Only the
 * table here declares which calls are reads, so that no provider, workspace or answer can add one.
 */

/** A fixed argument, or any text of a form. No form matches a text that begins with `-` and is an option. */
type Argument = string | RegExp

export interface DeclaredRead {
  readonly program: string
  /** All arguments, in order. Nothing may follow, because another option could make the call a write. */
  readonly args: readonly Argument[]
}

/** All calls that change nothing. Each has a page in the manual of its program. */
export const declaredReads: readonly DeclaredRead[] = [
  // https://git-scm.com/docs/git-config
  { program: 'git', args: ['config', '--file', /^\/[^\0]*$/, '--null', '--list'] },
  // https://man7.org/linux/man-pages/man1/dpkg-query.1.html
  { program: 'dpkg-query', args: ['--show', /^--showformat=[^\0]*$/] },
  // Without its caches it writes nothing, even as root: https://manpages.debian.org/apt-mark
  {
    program: 'apt-mark',
    args: ['-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache=', 'showmanual'],
  },
  // https://pip.pypa.io/en/stable/cli/pip_list/
  {
    program: 'pip',
    args: ['--isolated', '--disable-pip-version-check', '--no-input', 'list', '--format=json', '--no-cache-dir'],
  },
  // https://www.freedesktop.org/software/systemd/man/latest/systemctl.html
  ...(['--system', '--user'] as const).flatMap((scope): readonly DeclaredRead[] => [
    {
      program: 'systemctl',
      args: [
        scope,
        '--no-pager',
        'show',
        '--property=LoadState,ActiveState,UnitFileState',
        '--',
        /^[A-Za-z0-9][\w:.@\\-]*$/,
      ],
    },
    {
      program: 'systemctl',
      args: [scope, '--no-pager', '--no-legend', '--plain', 'list-unit-files', '--type=service', '--state=enabled'],
    },
  ]),
]

/**
 * Variables that a call may set. None of them names a program, a library or a file with options, because a workspace
 * sets them. PATH is that of the process.
 */
export const environmentNames: ReadonlySet<string> = new Set([
  'HOME',
  'DEBIAN_FRONTEND',
  'XDG_RUNTIME_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'TZ',
])

export const isExec = (url: string): boolean => /^exec:/i.test(url)

/** The name of the program, which is never a path; `undefined` for any other URL. */
export const programIn = (url: string): string | undefined => /^exec:\/\/\/([a-z0-9][a-z0-9+._-]*)$/.exec(url)?.[1]

export interface ProgramCall {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** `undefined` if the body is not a call. */
export const callIn = (body: Json | undefined): ProgramCall | undefined => {
  if (body === undefined || !isObject(body)) return undefined
  const { args, env = {}, ...others } = body
  if (args === undefined || !isArray(args) || !args.every((each) => typeof each === 'string')) return undefined
  if (!isObject(env) || Object.keys(others).length > 0) return undefined
  const isKnown = ([name, value]: readonly [string, Json]): boolean =>
    environmentNames.has(name) && typeof value === 'string'
  return Object.entries(env).every(isKnown) ? { args, env: env as ProgramCall['env'] } : undefined
}

export const isDeclaredRead = ({ method, url, body }: Request): boolean => {
  const program = programIn(url)
  const call = callIn(body)
  if (method.toUpperCase() !== 'POST' || program === undefined || call === undefined) return false
  return declaredReads.some((read) => read.program === program && matches(read.args, call.args))
}

const matches = (declared: readonly Argument[], given: readonly string[]): boolean =>
  declared.length === given.length &&
  declared.every((each, n) => (typeof each === 'string' ? each === given[n] : each.test(given[n] ?? '')))
