import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as z from 'zod'
import {
  AppError,
  digestText,
  type LedgerVerdict,
  renderAnchors,
  renderVerdict,
  verifyAnchors,
  verifyLines,
} from '#core'
import { signedBy } from '../../../adapters/anchor-key.ts'
import { writeDocument } from '../../../adapters/files/keep-file.ts'
import { readAnchors } from '../../../adapters/files/read-anchors.ts'
import { asRefused, ifThere } from '../../../adapters/files/system-errors.ts'
import { jsonIn } from '../../../adapters/json-in.ts'
import { type Backend, perform } from '../../backend/backend.ts'
import { exportLines, type NotedHead, verifyStored } from '../../backend/ledger-parts.ts'
import type { Context, Exit } from '../../context.ts'
import { readLines } from '../../terminal/read-input.ts'
import { readText } from '../../terminal/read-text.ts'
import { eachPlace } from '../../workspace/each-place.ts'
import { findName } from '../../workspace/find-workspace.ts'
import { placesOf, titleOf, type WorkspacePlace } from '../../workspace/places.ts'
import { withRecords } from '../../workspace/session.ts'

interface VerifyOptions {
  readonly file?: string
  readonly head?: NotedHead
  readonly from?: NotedHead
  readonly headFile?: string
  readonly anchors?: string
  readonly key?: string
  readonly all?: boolean
}

export const headOption = (text: string): NotedHead => {
  const [, seq, hash] = /^(\d{1,12}):(sha256:[0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined)
    throw new AppError('USAGE', { detail: `"${text}" is not <number of the last entry>:sha256:<hex>` })
  return { seq: Number(seq), hash }
}

/** Entry 0 is before the first one: its hash is the same for all ledgers, so that finding it would prove nothing. */
export const expectedHead = (text: string): NotedHead => {
  const head = headOption(text)
  if (head.seq > 0) return head
  throw new AppError('USAGE', {
    detail: `--head ${text} is no entry: each ledger begins so, even another one. Pass a head of entry 1 or later`,
  })
}

const headFileShape = z.strictObject({
  workspace: z.string(),
  entries: z.number().int().nonnegative(),
  head: digestText,
})

/** `undefined` if there is no such file yet. Throws USAGE for the head of another ledger, and for anything else. */
const headIn = async (file: string, workspace: string, { host }: Context): Promise<NotedHead | undefined> => {
  const text = await ifThere(readFile(resolve(host.folder, file), 'utf8')).catch((error: unknown) => {
    throw asRefused(error, file)
  })
  if (text === undefined) return undefined
  const kept = headFileShape.safeParse(jsonIn(text))
  if (!kept.success) throw new AppError('USAGE', { detail: `${file} does not hold a head that \`ledger verify\` kept` })
  if (kept.data.workspace !== workspace)
    throw new AppError('USAGE', { detail: `${file} holds the head of ${kept.data.workspace}, and not of ${workspace}` })
  return { seq: kept.data.entries, hash: kept.data.head }
}

/** An earlier head is replaced. */
const keepHead = async (file: string, verdict: LedgerVerdict, { host }: Context): Promise<void> => {
  if (!verdict.ok) return
  const { workspace, entries, head } = verdict
  const path = resolve(host.folder, file)
  const text = `${JSON.stringify({ workspace, entries, head })}\n`
  try {
    if (!(await writeDocument(path, text))) await writeDocument(path, text, true)
  } catch (error) {
    throw asRefused(error, file)
  }
}

const report = (verdict: LedgerVerdict, { output }: Context): Exit => {
  output.answer(verdict, () => renderVerdict(verdict, { color: output.color }))
  return verdict.ok ? 0 : 1
}

interface Expectation extends Pick<VerifyOptions, 'head' | 'anchors' | 'key'> {
  readonly workspace: string | undefined
  /** What the stored ledger and the records of its applies say together. */
  readonly stored?: LedgerVerdict
}

const isOfLedger = (line: string): boolean => {
  const value = jsonIn(line)
  return typeof value === 'object' && value !== null && 'workspace' in value && ('hash' in value || 'head' in value)
}

/** A changed line is a flaw of a ledger; a file that begins with two other lines was never an export of one. */
async function* linesOfExport(file: string, { host }: Context): AsyncGenerator<string> {
  const lines = readLines(file, host)
  const begun = [await lines.next(), await lines.next()]
  const first = begun.flatMap(({ done, value }) => (done === true ? [] : [value]))
  try {
    if (first.length > 0 && !first.some(isOfLedger)) {
      const name = file === '-' ? 'standard input' : file
      throw new AppError('USAGE', {
        detail: `${name} is no export of a ledger: pass what \`plumbline ledger export\` wrote, as it wrote it`,
      })
    }
    yield* first
    yield* lines
  } finally {
    await lines.return(undefined)
  }
}

const reportLines = async (
  lines: AsyncIterable<string>,
  { workspace, head, anchors, key, stored }: Expectation,
  context: Context,
): Promise<Exit> => {
  const expected = { workspace, head }
  if (anchors === undefined || key === undefined) return report(await verifyLines(lines, expected), context)
  const { host, output } = context
  const isSigned = signedBy((await readText(key, host)).text)
  if (isSigned === undefined)
    throw new AppError('USAGE', { detail: `--key ${key} is no public key of P-256 in PEM (BEGIN PUBLIC KEY)` })
  const found = await readAnchors(resolve(host.folder, anchors), anchors)
  const walked = await verifyAnchors(lines, found, isSigned, expected)
  const verdict = stored?.ok === false && walked.ledger.ok ? { ...walked, ok: false, ledger: stored } : walked
  output.answer(verdict, () => renderAnchors(verdict, { color: output.color }))
  return verdict.ok ? 0 : 1
}

/** Shows how far it has come. */
const verifyInParts = async (
  workspace: string,
  from: NotedHead | undefined,
  backend: Backend,
  { output }: Context,
): Promise<LedgerVerdict> => {
  const parts = perform(verifyStored, { workspace, from }, backend)
  try {
    for (;;) {
      const { done, value } = await parts.next()
      if (done) return value
      output.progress(`${value.toLocaleString('en')} entries are verified`)
    }
  } finally {
    output.progress(undefined)
  }
}

const refuseTogether = ({ file, head, from, headFile, anchors, key }: VerifyOptions): void => {
  if ((anchors === undefined) !== (key === undefined))
    throw new AppError('USAGE', {
      detail: '--anchors and --key belong together: the anchors, and the key that signed them',
    })
  if (from !== undefined && headFile !== undefined)
    throw new AppError('USAGE', { detail: '--from cannot be combined with --head-file, which holds such a head' })
  const named = from === undefined ? '--head-file' : '--from'
  if (from === undefined && headFile === undefined) return
  if (file !== undefined)
    throw new AppError('USAGE', { detail: `${named} cannot be combined with --file: an export is verified as a whole` })
  const whole = head !== undefined ? '--head' : anchors !== undefined ? '--anchors' : undefined
  if (whole !== undefined)
    throw new AppError('USAGE', { detail: `${named} cannot be combined with ${whole}, for which everything is read` })
}

const verifyOne = async (context: Context, given: WorkspacePlace, options: VerifyOptions): Promise<Exit> => {
  const { file, from, headFile, ...expected } = options
  if (file !== undefined) {
    const workspace =
      given === undefined ? undefined : (await findName(given, context.host.folder, context.storeFolder)).workspace
    return reportLines(linesOfExport(file, context), { ...expected, workspace }, context)
  }
  return withRecords(context, given, async ({ backend, workspace }) => {
    const start = headFile === undefined ? from : await headIn(headFile, workspace, context)
    const verdict = await verifyInParts(workspace, start, backend, context)
    if (headFile !== undefined) await keepHead(headFile, verdict, context)
    const needsLines = expected.anchors !== undefined || (expected.head !== undefined && verdict.ok)
    if (!needsLines) return report(verdict, context)
    const lines = perform(exportLines, { workspace, filter: {} }, backend)
    return reportLines(lines, { ...expected, workspace, stored: verdict }, context)
  })
}

const words: Readonly<Record<Exit, string>> = { 0: 'intact', 1: 'not intact or not read', 2: 'changed', 3: 'not read' }

/** Throws USAGE for options whose value belongs to one ledger. */
const refuseForOne = ({ length }: readonly unknown[], options: VerifyOptions): void => {
  const names = {
    file: '--file',
    head: '--head',
    from: '--from',
    headFile: '--head-file',
    anchors: '--anchors',
  } as const
  const [, named] = Object.entries(names).find(([name]) => options[name as keyof typeof names] !== undefined) ?? []
  if (length > 1 && named !== undefined)
    throw new AppError('USAGE', { detail: `${named} belongs to one ledger, and ${length} workspaces are named` })
}

export const verify = async (context: Context, given: readonly string[], options: VerifyOptions): Promise<Exit> => {
  refuseTogether(options)
  const places = await placesOf(given, options, context)
  refuseForOne(places, options)
  const works = await Promise.all(places.map(async (place) => ({ title: await titleOf(place, context), place })))
  return eachPlace(works, { words, work: (place, own) => verifyOne(own, place, options) }, context)
}
