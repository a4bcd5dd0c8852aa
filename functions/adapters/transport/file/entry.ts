import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, readlink, rename, rmdir, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, digest, isObject, type JsonObject, type Request, type Response } from '#core'
import { ifThere } from '../../files/system-errors.ts'
import { newDraft } from './drafts.ts'
import { answer } from './file-answer.ts'
import type { FilePlace } from './file-place.ts'
import { modeOf, modeText } from './mode.ts'
import { meets } from './preconditions.ts'
import { otherThan, whatIs } from './what-is.ts'

/**
 * The media types of items that are not regular files:
 * https://specifications.freedesktop.org/shared-mime-info-spec/latest/ar01s02.html
 */
type EntryType = 'inode/directory' | 'inode/symlink'

/** GET names the type in `accept`, all other methods in `content-type`. */
export const entryOf = ({ method, headers = {} }: Request): EntryType | undefined => {
  const wanted = method.toUpperCase() === 'GET' ? 'accept' : 'content-type'
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted) ?? []
  return value === 'inode/directory' || value === 'inode/symlink' ? value : undefined
}

/** Longer lists are refused, because nobody manages so many names by hand. */
const mostNames = 10_000

/** Lists the names in a folder, for a GET of its path with a slash at the end. Follows no link. */
export const listNames = async ({ method, url }: Request, { folder, name }: FilePlace): Promise<Response> => {
  const path = join(folder.base, name)
  const found = await look(path, 'inode/directory')
  if (found === 'absent') return answer(404)
  if (isOther(found)) return answer(409, { reason: 'unsupported', detail: otherThan(found.other, 'a folder') })
  const names = await readdir(path)
  if (names.length > mostNames) throw new AppError('RESPONSE_TOO_LARGE', { method, url, limit: mostNames })
  return answer(200, { names: names.toSorted() })
}

/** `other`: what it is instead, in words. */
type FoundEntry = { readonly body: JsonObject; readonly etag: string } | 'absent' | { readonly other: string }

const isOther = (found: FoundEntry): found is { readonly other: string } =>
  typeof found === 'object' && 'other' in found

/**
 * A folder is `{mode}`, a link is `{target}`: its text, wherever it leads. DELETE removes an empty folder; 409 if the
 * folder is not empty, or if something else has the name.
 */
export const actOnEntry = async (request: Request, entry: EntryType, place: FilePlace): Promise<Response> => {
  const { folder, name } = place
  const path = join(folder.base, name)
  const found = await look(path, entry)
  if (isOther(found)) return answer(409, { reason: 'unsupported', detail: otherThan(found.other, entryWords[entry]) })
  const present = found === 'absent' ? undefined : found
  const method = request.method.toUpperCase()
  if (method === 'GET') return present ? answer(200, present.body, { etag: present.etag }) : answer(404)
  if (!meets(request, present)) return answer(412)
  if (method !== 'PUT' && present === undefined) return answer(404)
  const response = await (entry === 'inode/directory' ? writeFolder : writeLink)(
    request,
    path,
    place,
    present !== undefined,
  )
  await folder.handle.sync()
  return response
}

const entryWords = { 'inode/directory': 'a folder', 'inode/symlink': 'a link' } as const

const look = async (path: string, entry: EntryType): Promise<FoundEntry> => {
  const stat = await ifThere(lstat(path))
  if (stat === undefined) return 'absent'
  if (entry === 'inode/directory')
    return stat.isDirectory() ? described({ mode: modeText(stat.mode) }) : { other: whatIs(stat) }
  return stat.isSymbolicLink() ? described({ target: await readlink(path) }) : { other: whatIs(stat) }
}

const described = (body: JsonObject): FoundEntry => ({ body, etag: `"${digest(body)}"` })

type EntryWrite = (request: Request, path: string, place: FilePlace, isThere: boolean) => Promise<Response>

const writeFolder: EntryWrite = async ({ method, body }, path, { leave }, isThere) => {
  if (method.toUpperCase() === 'DELETE') {
    leave()
    await rmdir(path)
    return answer(204)
  }
  const mode = modeOf(body) ?? 0o755
  if (mode === 'invalid' || !['PUT', 'PATCH'].includes(method.toUpperCase()))
    return answer(400, { detail: 'the body is {mode}' })
  leave()
  if (!isThere) await mkdir(path)
  // This sets the mode whatever the umask is, and never through a link that replaces the folder.
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    await handle.chmod(mode)
  } finally {
    await handle.close()
  }
  return answer(isThere ? 204 : 201)
}

const writeLink: EntryWrite = async ({ method, body }, path, { folder, leave }, isThere) => {
  if (method.toUpperCase() === 'DELETE') {
    leave()
    await unlink(path)
    return answer(204)
  }
  const target = isObject(body) ? body['target'] : undefined
  if (typeof target !== 'string' || method.toUpperCase() !== 'PUT')
    return answer(400, { detail: 'the body is {target}' })
  if (!isThere) {
    leave()
    await symlink(target, path)
    return answer(201)
  }
  const draft = join(folder.base, newDraft())
  await symlink(target, draft)
  try {
    leave()
    await rename(draft, path)
  } finally {
    await ifThere(unlink(draft))
  }
  return answer(204)
}
