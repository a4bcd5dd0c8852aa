import { readFile } from 'node:fs/promises'
import { AppError } from '#core'
import { writeDocument } from './keep-file.ts'
import { asRefused } from './system-errors.ts'

interface ChangedDocument {
  readonly path: string
  readonly before: string
  readonly after: string
}

/**
 * Replaces documents, each in one step, and keeps their modes. If one of them has changed since it was read, nothing is
 * written and the promise rejects with FILE_REFUSED.
 */
export const changeDocuments = async (documents: readonly ChangedDocument[]): Promise<void> => {
  for (const { path, before } of documents) {
    const now = await readFile(path, 'utf8').catch((error: unknown) => {
      throw asRefused(error, path)
    })
    if (now !== before) throw new AppError('FILE_REFUSED', { path, detail: 'it has changed since it was read' })
  }
  for (const { path, after } of documents) await writeDocument(path, after, true)
}
