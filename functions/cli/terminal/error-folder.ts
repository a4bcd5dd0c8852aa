import { posix, relative } from 'node:path'
import { type AppError, type Issue, isAppError } from '#core'
import type { Context } from '../context.ts'

interface Seen {
  /** The folder of the workspace from where the command runs; empty if it runs there. */
  readonly near: string
  /** Named from where the command runs, in its options. */
  readonly values: ReadonlySet<string>
}

/** By the error, because its issues name files from the folder of the workspace, wherever the command runs. */
const folders = new WeakMap<AppError, Seen>()

/** Notes for a configuration that the work refuses in which folder it is; what is inside of other such work is noted there. */
export const inFolder = async <Result>(
  folder: string | undefined,
  { host, given }: Pick<Context, 'host' | 'given'>,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (folder !== undefined && isAppError(error, 'CONFIG_INVALID') && !folders.has(error)) {
      const near = relative(host.folder, folder).split('\\').join('/')
      folders.set(error, { near, values: new Set(given?.varFile) })
    }
    throw error
  }
}

/** The problems of a configuration, with their files as they are called from where the command runs. */
export const seenIssues = (error: AppError<'CONFIG_INVALID'>, given?: string): readonly Issue[] => {
  const { near = '', values } = folders.get(error) ?? {}
  // A place without a line is an option of the command.
  return error.payload.issues.map((issue) =>
    issue.line === 0 || values?.has(issue.file) ? issue : { ...issue, file: posix.join(given ?? near, issue.file) },
  )
}
