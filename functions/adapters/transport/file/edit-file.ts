import { isObject, type Json, type JsonObject, type Request, type Response } from '#core'
import { editText } from '#text-parts'
import { answer, changing } from './file-answer.ts'
import type { FilePlace } from './file-place.ts'
import { type FoundFile, isStill } from './find-file.ts'
import { modeOf } from './mode.ts'
import { replaceFile } from './replace-file.ts'

export const isEdit = ({ method, body }: Request): boolean =>
  method.toUpperCase() === 'PATCH' && isObject(body ?? null) && Object.hasOwn(body as object, 'edit')

/** Tells whether the request creates a part of the file: then the missing folders are created too. */
export const makesPart = (request: Request): boolean => {
  const { edit = null } = isEdit(request) ? (request.body as JsonObject) : {}
  return isObject(edit) && edit['to'] !== null
}

const statusOf = { invalid: 400, changed: 412, unclear: 409 } as const

/**
 * Changes one part of a text file, and writes the whole file in one step. 409: the content of the file is not clear;
 * 412: the part is not as it was, or the file is changing at this moment.
 */
export const editFile = async (
  body: Json | undefined,
  { folder, name, leave }: FilePlace,
  file: FoundFile | undefined,
): Promise<Response> => {
  const { edit } = isObject(body) ? body : {}
  const before = file === undefined ? '' : file.body['content']
  if (typeof before !== 'string')
    return answer(409, { reason: 'unsupported', detail: 'its content is binary where UTF-8 text was expected' })
  const edited = editText(before, edit)
  if (!edited.ok) return answer(statusOf[edited.why], { detail: edited.detail })
  // There is nothing to change, so a missing file is not created.
  if (edited.text === before) return answer(file === undefined ? 404 : 204)
  const mode = file?.mode ?? modeOf(body) ?? 0o644
  if (mode === 'invalid') return answer(400, { detail: 'the mode has three or four octal digits' })
  const old = file === undefined ? {} : { owner: file.owner, isStill: () => isStill(folder, name, file) }
  const content = Buffer.from(edited.text)
  const isDone = await replaceFile(folder, name, { content, mode, mustBeNew: file === undefined, ...old }, leave)
  return isDone ? answer(file ? 204 : 201) : changing
}
