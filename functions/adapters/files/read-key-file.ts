import { AppError } from '#core'
import { isTracked } from './is-tracked.ts'
import { linkWords, openOwnFile } from './own-file.ts'

const tracked = 'Git tracks it, so that all who have the repository know the key; take it out first (git rm --cached)'

/**
 * The text of a key; `undefined` if there is no file. Rejects with KEY_INVALID if others may know it, as ssh does: a key that came with a
 * repository can be read by everybody, because Git keeps no rights.
 */
export const readKeyFile = async (file: string): Promise<string | undefined> => {
  const refused = (detail: string): AppError => new AppError('KEY_INVALID', { file, detail })
  const handle = await openOwnFile(file, () => refused(linkWords))
  if (handle === undefined) return undefined
  try {
    const { mode, uid } = await handle.stat()
    const own = process.getuid?.()
    if (own !== undefined && uid !== own) throw refused('it belongs to another user')
    const rights = (mode & 0o777).toString(8).padStart(4, '0')
    if (own !== undefined && (mode & 0o077) !== 0)
      throw refused(`others can read it (mode ${rights}), so that they may know the key`)
    if (await isTracked(file)) throw refused(tracked)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
