import { constants } from 'node:fs'
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere } from '../../files/system-errors.ts'
import { newDraft } from './drafts.ts'
import type { Folder } from './open-folder.ts'

export interface NewFile {
  readonly content: Uint8Array
  readonly mode: number
  /** The owner of the replaced file, which is kept. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Fails with EEXIST if the file exists by then. */
  readonly mustBeNew: boolean
  /** Tells, right before the replacement, whether the file is still the one that was read. */
  readonly isStill?: () => boolean
}

/**
 * Replaces a file completely or not at all, also when the machine stops: a finished draft is renamed in one step.
 * `leave` is called right before that step, and may throw. Returns false if the file changed since it was read, and
 * leaves it as it is.
 */
export const replaceFile = async (
  folder: Folder,
  name: string,
  file: NewFile,
  leave: () => void = () => {},
): Promise<boolean> => {
  const target = join(folder.base, name)
  const draft = join(folder.base, newDraft())
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(draft, flags, 0o600)
  try {
    await fill(handle, file)
    leave()
    if (file.isStill?.() === false) return false
    if (file.mustBeNew) await link(draft, target)
    else await rename(draft, target)
  } finally {
    // After a rename there is no draft left to remove.
    await ifThere(unlink(draft))
  }
  await folder.handle.sync()
  return true
}

const fill = async (handle: FileHandle, { content, mode, owner }: NewFile): Promise<void> => {
  try {
    await handle.writeFile(content)
    const made = await handle.stat()
    if (owner && (owner.uid !== made.uid || owner.gid !== made.gid)) await handle.chown(owner.uid, owner.gid)
    // The mode is set after chown, which clears the set-user-id bits.
    await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
