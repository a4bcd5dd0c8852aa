import { open, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError, isObject, type Json, type Request, type Response, type Transport } from '#core'
import { errno } from '../../files/system-errors.ts'
import { createGate } from '../gate.ts'
import { confine } from './confine.ts'
import { createSweeper } from './drafts.ts'
import { editFile, isEdit, makesPart } from './edit-file.ts'
import { actOnEntry, entryOf, listNames } from './entry.ts'
import { answer, answerFromError, changing } from './file-answer.ts'
import type { FilePlace, Leave } from './file-place.ts'
import { type Found, type FoundFile, findFile, isStill, openFlags } from './find-file.ts'
import { modeOf } from './mode.ts'
import { type Folder, inside, openFolder } from './open-folder.ts'
import { meets } from './preconditions.ts'
import { replaceFile } from './replace-file.ts'
import { otherThan } from './what-is.ts'

export interface FileOptions {
  /** Absolute folders; nothing outside them is read or written. */
  readonly roots: readonly string[]
  /** The limit for one file. 1 MiB when absent: configuration is small, and plans and ledgers keep what they show. */
  readonly maxBytes?: number
}

/**
 * Makes files resources. GET answers 200 `{content | contentBase64, mode}` or 404; PUT of the same shape replaces the
 * whole file and creates missing folders; PATCH `{mode}` changes the mode, and PATCH `{edit, mode}` one part of a text,
 * where `mode` is for a new file; DELETE removes. If-Match and If-None-Match: * are honoured (412). 403: outside the
 * roots (`reason: outside_root`), or not permitted. 409: not a regular file; a link is not one, whatever its target is.
 * Folders and links themselves are named by their media types (./entry.ts), and the names in a folder by a slash at the
 * end of its URL.
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

interface FileAccess {
  readonly roots: readonly string[]
  readonly maxBytes: number
  readonly sweep: (folder: Folder) => Promise<void>
}

const exchange = async (request: Request, { roots, maxBytes, sweep }: FileAccess, leave: Leave): Promise<Response> => {
  const confined = await confine(request, roots)
  if (!confined.ok) return confined.refusal
  const { root, path } = confined
  const makes = request.method.toUpperCase() === 'PUT' || makesPart(request)
  const folder = await openFolder(root, dirname(path), makes)
  if (folder === undefined) return answer(403, { reason: 'outside_root', detail: 'a link leads outside of the root' })
  return inside(folder, async () => {
    const place = { folder, name: basename(path), leave }
    const entry = entryOf(request)
    if (entry !== undefined) return actOnEntry(request, entry, place)
    if (isListing(request)) return listNames(request, place)
    if (makes) await sweep(folder)
    const found = await findFile(folder, basename(path), maxBytes)
    if (found.kind !== 'large') return act(request, place, found)
    throw new AppError('RESPONSE_TOO_LARGE', { method: request.method, url: request.url, limit: maxBytes })
  })
}

const isListing = ({ method, url }: Request): boolean => method.toUpperCase() === 'GET' && url.endsWith('/')

type Usable = Exclude<Found, { readonly kind: 'large' }>

const act = async (request: Request, place: FilePlace, found: Usable): Promise<Response> => {
  const { folder, name, leave } = place
  if (found.kind === 'other')
    return answer(409, { reason: 'unsupported', detail: otherThan(found.what, 'a regular file') })
  const file = found.kind === 'file' ? found : undefined
  const method = request.method.toUpperCase()
  if (method === 'PUT') return meets(request, file) ? put(request.body, place, file) : answer(412)
  if (isEdit(request)) return meets(request, file) ? editFile(request.body, place, file) : answer(412)
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

const put = async (body: Json | undefined, { folder, name, leave }: FilePlace, file?: FoundFile): Promise<Response> => {
  const content = contentOf(body)
  const mode = modeOf(body) ?? file?.mode ?? 0o644
  if (content === undefined || mode === 'invalid') {
    return answer(400, { detail: 'the body is {content or contentBase64, mode}' })
  }
  const old = file && { owner: file.owner, isStill: () => isStill(folder, name, file) }
  const isDone = await replaceFile(folder, name, { content, mode, mustBeNew: file === undefined, ...old }, leave)
  return isDone ? answer(file ? 204 : 201) : changing
}

const contentOf = (body: Json | undefined): Uint8Array | undefined => {
  const { content, contentBase64 } = isObject(body) ? body : {}
  if (typeof content === 'string') return Buffer.from(content)
  return typeof contentBase64 === 'string' ? Buffer.from(contentBase64, 'base64') : undefined
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
