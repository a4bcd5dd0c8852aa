import { realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Request, Response } from '#core'
import { ifThere } from '../../files/system-errors.ts'
import { answer } from './file-answer.ts'
import { isInside } from './open-folder.ts'

export type Confined =
  | { readonly ok: true /** Contains no links. */; readonly root: string; readonly path: string }
  | { readonly ok: false; readonly refusal: Response }

const refuse = (status: number, reason: string, detail: string): Confined => ({
  ok: false,
  refusal: answer(status, { reason, detail }),
})

/**
 * Finds the root that contains a request's path. A root that does not exist is a refusal, because otherwise each file
 * in it would seem absent.
 */
export const confine = async (request: Request, roots: readonly string[]): Promise<Confined> => {
  const path = pathOf(request.url)
  if (path === undefined) return refuse(400, 'bad_url', 'the address is no file URL of this machine')
  const root = roots.find((each) => isInside(path, each) && relative(each, path) !== '')
  if (root === undefined) return refuse(403, 'outside_root', 'it is outside of the root')
  const real = await ifThere(realpath(root))
  if (real === undefined) return refuse(409, 'no_root', `the root ${root} does not exist`)
  return { ok: true, root: real, path: join(real, relative(root, path)) }
}

/** URL parsing has already resolved `..` and `%2e%2e`; an encoded slash is refused. */
const pathOf = (url: string): string | undefined => {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}
