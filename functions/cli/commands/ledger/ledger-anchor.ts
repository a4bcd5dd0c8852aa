import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { AppError, anchorName, anchorText, renderVerdict, stateHead, statementText } from '#core'
import { openAnchorKey } from '../../../adapters/anchor-key.ts'
import { writeDocument } from '../../../adapters/files/keep-file.ts'
import { asRefused } from '../../../adapters/files/system-errors.ts'
import { recordsOf } from '../../backend/backend.ts'
import type { Context, Exit } from '../../context.ts'
import { withRecords } from '../../workspace/session.ts'
import { command, option, workspaceArgument } from '../command.ts'

interface AnchorOptions {
  readonly out?: string
}

/** A ledger on one machine belongs to the key of that machine. */
const deployment = 'local'

/** What is there already stays, and must be the same: older anchors need the key that is beside them. */
const writeOnce = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
    throw asRefused(error, path)
  })
  if ((await writeDocument(path, text)) || (await readFile(path, 'utf8')) === text) return
  throw new AppError('FILE_REFUSED', { path, detail: 'it is of another key; name another folder' })
}

const anchor = (context: Context, given: string | undefined, { out }: AnchorOptions): Promise<Exit> =>
  withRecords(context, given, async ({ backend, workspace }) => {
    const { host, output } = context
    if (out === undefined)
      throw new AppError('USAGE', { detail: '--out <folder> is missing: name a folder for the anchors' })
    if (backend.kind !== 'local')
      throw new AppError('USAGE', { detail: 'an endpoint keeps its anchors itself; leave out --endpoint' })
    const { deps, state } = backend
    // An anchor of a broken chain would vouch for it.
    const verdict = await (await recordsOf(workspace, backend)).verifyLedger()
    const statement = verdict.ok ? await stateHead({ workspace, deployment }, deps) : undefined
    if (!verdict.ok || statement === undefined) {
      output.answer(verdict, () => renderVerdict(verdict, { color: output.color }))
      return 1
    }
    const { publicKey, sign } = await openAnchorKey(state.anchorKeyFile)
    const made = { anchor: statement, signature: sign(statementText(statement)) }
    const folder = resolve(host.folder, out)
    const [file, key] = [join(folder, anchorName(statement)), join(folder, 'public-key.pem')]
    await writeOnce(key, publicKey)
    await writeOnce(file, anchorText(made))
    output.answer({ ...made, file, key }, () => `entry ${statement.seq} of ${workspace} is anchored in ${file}\n`)
    return 0
  })

export const anchorCommand = command({
  name: 'ledger anchor',
  example: 'plumbline ledger anchor --out /mnt/evidence/anchors',
  summary: 'sign the head of the ledger of this machine',
  description:
    'Verifies the ledger, signs its head with a key of this machine, and writes the anchor and the public key into a folder, for `ledger verify --anchors`. Keep the folder where whoever can write the store cannot.',
  argument: workspaceArgument,
  options: [option('--out <folder>', 'folder for the anchors; it is created')],
  run: anchor,
})
