import { open, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError, isObject, type Json, type Request, type Response, type Transport } from '#core'
import { errno } from '../../files/system-errors.ts'
import { createGate } from '../gate.ts'
import { confine } from './confine.ts'
import { createSweeper } from './drafts.ts'
import { answer, answerFromError } from './file-answer.ts'
import { type Found, type FoundFile, findFile, openFlags } from './find-file.ts'
import { type Folder, inside, openFolder } from './open-folder.ts'
import { replaceFile } from './replace-file.ts'

export interface FileOptions {
  /** Absolute folders; nothing outside is read or written. */
  readonly roots: readonly string[]
  /** Of one file. 1 MiB when absent: configuration is small, and plans and ledgers keep what they show. */
  readonly maxBytes?: number
}

/**
 * Files as resources. GET answers 200 `{content | contentBase64, mode}` or 404; PUT of the same shape replaces the whole file
 * and makes its folders where they are missing; PATCH `{mode}` changes the mode; DELETE removes. If-Match and If-None-Match:
 * * are honoured (412). 403: outside of the roots (`reason: outside_root`), or not permitted. 409: not a regular file; a link
 * is not a regular file, whatever its target is.
 */
export const createFileTransport = ({ roots, maxBytes = 1024 * 1024 }: FileOptions): Transport => {
  const place = { roots, maxBytes, sweep: createSweeper() }
  return {
    send: async (request, signal) => {
      const { method, url } = request
      const gate = createGate(request)
      const fail = (detail: string, reason: 'network' | 'cancelled' | 'unsent', cause?: unknown) =>
        new AppError('REQUEST_FAILED', { method, url, detail, reason }, { cause })
      if (signal?.aborted) throw fail('it was cancelled', 'cancelled')
      try {
        return await exchange(request, place, () => {
          if (!gate.letsGo()) throw fail('its leave had ended before it left', 'unsent')
        })
      } catch (error) {
        const said = error instanceof AppError ? undefined : answerFromError(error)
        if (said) return said
        throw error instanceof AppError ? error : fail(errno(error) ?? 'unknown reason', 'network', error)
      }
    },
  }
}

interface Files {
  readonly roots: readonly string[]
  readonly maxBytes: number
  readonly sweep: (folder: Folder) => Promise<void>
}

/** Called right before a file changes; throws if the file must not be changed any more. */
type Leave = () => void

const exchange = async (request: Request, { roots, maxBytes, sweep }: Files, leave: Leave): Promise<Response> => {
  const confined = await confine(request, roots)
  if (!confined.ok) return confined.refusal
  const { root, path } = confined
  const isPut = request.method.toUpperCase() === 'PUT'
  const folder = await openFolder(root, dirname(path), isPut)
  if (folder === undefined) return answer(403, { reason: 'outside_root', detail: 'a link leads outside of the root' })
  return inside(folder, async () => {
    if (isPut) await sweep(folder)
    const found = await findFile(folder, basename(path), maxBytes)
    if (found.kind !== 'large') return act(request, { folder, name: basename(path), leave }, found)
    throw new AppError('RESPONSE_TOO_LARGE', { method: request.method, url: request.url, limit: maxBytes })
  })
}

type Usable = Exclude<Found, { readonly kind: 'large' }>

interface FilePlace {
  readonly folder: Folder
  readonly name: string
  readonly leave: Leave
}

const act = async (request: Request, place: FilePlace, found: Usable): Promise<Response> => {
  const { folder, name, leave } = place
  if (found.kind === 'other') return answer(409, { reason: 'unsupported', detail: 'it is no regular file' })
  const file = found.kind === 'file' ? found : undefined
  const method = request.method.toUpperCase()
  if (method === 'PUT') return meets(request, file) ? put(request.body, place, file) : answer(412)
  if (file === undefined) return answer(404)
  if (method === 'GET') return answer(200, file.body, { etag: file.etag })
  if (method !== 'PATCH' && method !== 'DELETE') return answer(405)
  if (!meets(request, file)) return answer(412)
  if (method === 'PATCH') return changeMode(request.body, place)
  leave()
  await unlink(join(folder.base, name))
  await folder.handle.sync()
  return answer(204)
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-13.1 */
const meets = ({ headers }: Request, file: FoundFile | undefined): boolean => {
  const { 'if-match': match, 'if-none-match': noneMatch } = lowerCase(headers)
  return (match === undefined || match === file?.etag) && (noneMatch !== '*' || file === undefined)
}

const lowerCase = (headers: Request['headers'] = {}): Partial<Record<'if-match' | 'if-none-match', string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const put = async (body: Json | undefined, { folder, name, leave }: FilePlace, file?: FoundFile): Promise<Response> => {
  const content = contentOf(body)
  const mode = modeOf(body) ?? file?.mode ?? 0o644
  if (content === undefined || mode === 'invalid') {
    return answer(400, { detail: 'the body is {content or contentBase64, mode}' })
  }
  const owner = file && { owner: file.owner }
  await replaceFile(folder, name, { content, mode, mustBeNew: file === undefined, ...owner }, leave)
  return answer(file ? 204 : 201)
}

const contentOf = (body: Json | undefined): Uint8Array | undefined => {
  const { content, contentBase64 } = isObject(body) ? body : {}
  if (typeof content === 'string') return Buffer.from(content)
  return typeof contentBase64 === 'string' ? Buffer.from(contentBase64, 'base64') : undefined
}

const modeOf = (body: Json | undefined): number | undefined | 'invalid' => {
  const mode = isObject(body) ? body['mode'] : undefined
  if (mode === undefined) return undefined
  return typeof mode === 'string' && /^0?[0-7]{3,4}$/.test(mode) ? Number.parseInt(mode, 8) : 'invalid'
}

const changeMode = async (body: Json | undefined, { folder, name, leave }: FilePlace): Promise<Response> => {
  const mode = modeOf(body)
  if (typeof mode !== 'number') return answer(400, { detail: 'the body is {mode}' })
  const handle = await open(join(folder.base, name), openFlags)
  try {
    leave()
    await handle.chmod(mode)
  } finally {
    await handle.close()
  }
  return answer(204)
}
