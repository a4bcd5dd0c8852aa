import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  AppError,
  type Json,
  type JsonObject,
  type ProbeObject,
  type ProbeReport,
  renderProbe,
  renderProbeObject,
} from '#core'
import { unless } from '../../../adapters/files/system-errors.ts'
import { jsonIn } from '../../../adapters/json-in.ts'
import { createProbeDeps } from '../../backend/machine-deps.ts'
import type { Context, Exit } from '../../context.ts'
import type { Host } from '../../process/host.ts'
import { ask } from '../../terminal/ask.ts'
import { readText } from '../../terminal/read-text.ts'
import { collect, command, option, pair } from '../command.ts'

interface ProbeOptions {
  readonly with?: readonly string[]
  readonly type?: readonly string[]
  readonly set?: readonly string[]
  readonly shut?: boolean
  readonly yes?: boolean
}

const secretSource = /^(env|file|ssm|secretsmanager):/

/** Reads values as a workspace writes them: `env:NAME` names the source of a secret. */
const givenWith = (words: readonly string[]): JsonObject =>
  Object.fromEntries(
    words.map((word) => {
      const [name, value] = pair(word, '--with name=value')
      return [name, secretSource.test(value) ? { secret: value } : value]
    }),
  )

/** Reads `type.attribute=value`; an update sets the second value of an attribute. */
const givenValues = (words: readonly string[]): Record<string, Record<string, Json[]>> => {
  const given: Record<string, Record<string, Json[]>> = {}
  for (const word of words) {
    const [where, value] = pair(word, '--set type.attribute=value')
    const [type = '', ...rest] = where.split('.')
    if (rest.length === 0)
      throw new AppError('USAGE', { detail: `"${where}" names no attribute: write type.attribute` })
    const own = given[type] ?? {}
    const name = rest.join('.')
    given[type] = { ...own, [name]: [...(own[name] ?? []), (jsonIn(value) ?? value) as Json] }
  }
  return given
}

/** System errors for a value that is not a file: a URL, a long text, a dot. */
const noFile = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']

const filesOf = async (given: JsonObject, { folder }: Host): Promise<Record<string, string>> => {
  const names = Object.values(given).filter((value) => typeof value === 'string')
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await unless(noFile, readFile(resolve(folder, name), 'utf8'))
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
  return Object.fromEntries(found.flat())
}

const agree =
  ({ host, output }: Context, yes: boolean) =>
  async (objects: readonly ProbeObject[]): Promise<boolean> => {
    const list = objects.map((object) => `  ${renderProbeObject(object)}`).join('\n')
    if (!output.json) output.note(`this creates, changes and deletes:\n${list}`)
    return yes || ask('Only "yes" begins: ', host)
  }

/** The table is in docs/provider-tools.md. */
const exitOf = ({ left, stuck, skipped, interrupted, findings }: ProbeReport): Exit => {
  if (left.length > 0 || stuck !== undefined) return 1
  if (skipped.length > 0 || interrupted) return 3
  return findings.length > 0 ? 2 : 0
}

const probe = async (context: Context, file: string, options: ProbeOptions): Promise<Exit> => {
  const { host, output } = context
  const { with: words = [], type: types = [], set = [], shut = false, yes = false } = options
  if (!yes && !output.interactive)
    throw new AppError('USAGE', { detail: 'no terminal to confirm on; pass --yes to create the test objects' })
  const { probeProvider } = await import('#authoring')
  const given = givenWith(words)
  let interrupted = false
  const release = host.onInterrupt(() => {
    interrupted = true
    output.note(output.paint.yellow('deleting the test objects; press Ctrl-C again to leave them'))
  })
  try {
    const report = await probeProvider(
      {
        document: await readText(file, host),
        files: await filesOf(given, host),
        with: given,
        types,
        given: givenValues(set),
        shut,
        actor: { subject: `local:${host.user}`, via: 'cli' },
        confirm: agree(context, yes),
        shouldStop: () => interrupted,
      },
      createProbeDeps(host),
    )
    if (report === undefined) {
      output.note('nothing was sent')
      return 0
    }
    output.answer(report, () => renderProbe(report, { color: output.color }))
    return exitOf(report)
  } finally {
    release()
  }
}

export const providerProbeCommand = command({
  name: 'provider probe',
  example: 'plumbline provider probe acme.provider.yaml --with token=env:ACME_TOKEN',
  summary: 'try a provider document on a sandbox',
  description:
    'Creates two objects of each type on a live server, reads them back, sets each attribute that can be set and sets it back, deletes them, and reports what the document should say. Their names begin with plumbline-probe. Asks for confirmation, and touches only objects that it created.\nExit codes: 0 as described, 1 something is left behind or changed, 2 findings, 3 not everything could be tried.',
  argument: ['<document>', 'the provider document'],
  options: [
    option('--with <name=value>', 'value for the provider; a secret as env:NAME or file:PATH; repeatable', collect),
    option('--type <type>', 'only this type and its parents; repeatable', collect),
    option(
      '--set <type.attribute=value>',
      'value that the server accepts, as JSON or text; a second one is for the update',
      collect,
    ),
    option('--shut', 'also try switches that may shut an object for good (blocked, archived, enabled), as the last'),
    option('--yes', 'create the test objects without confirmation'),
  ],
  run: probe,
})
