import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { AppError, defined } from '#core'
import type { Host } from '../process/host.ts'

export interface RepositoryAround {
  /** `owner/name` */
  readonly repository: string
  /** The folder of the workspace in it; empty for its root. */
  readonly folder: string
}

/**
 * The repository on GitHub that a folder is a part of: as named, as GitHub Actions names it, or the remote `origin` of the
 * checkout around it. Throws USAGE.
 */
export const repositoryAround = (
  folder: string,
  named: string | undefined,
  variables: Host['variables'],
): RepositoryAround => {
  const root = rootAround(folder)
  if (root === undefined)
    throw new AppError('USAGE', {
      detail: `${folder} is in no checkout of Git, so no pull request can be opened for it`,
    })
  const repository = named ?? variables['GITHUB_REPOSITORY'] ?? originIn(root)
  if (repository === undefined)
    throw new AppError('USAGE', {
      detail: 'the checkout has no remote "origin" on GitHub; name it: --repository owner/name',
    })
  return { repository, folder: relative(root, folder).split(sep).join('/') }
}

const rootAround = (folder: string): string | undefined => {
  if (textOf(join(folder, '.git', 'HEAD')) !== undefined || textOf(join(folder, '.git')) !== undefined) return folder
  const above = dirname(folder)
  return above === folder ? undefined : rootAround(above)
}

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** https://git-scm.com/docs/git-config: the URL by HTTPS, by SSH, or in the short form of SSH. */
const originIn = (root: string): string | undefined => {
  const text = textOf(join(root, '.git', 'config')) ?? ''
  const section = /^\[remote "origin"\]\s*$([^[]*)/m.exec(text)?.[1] ?? ''
  const url = /^\s*url\s*=\s*(\S+)\s*$/m.exec(section)?.[1]
  return /[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url ?? '')?.[1]
}

/** Where the API is, and the token: what GitHub Actions gives to a step. */
export const accessTo = (variables: Host['variables']) => ({
  token: { secret: variables['GITHUB_TOKEN'] === undefined ? 'env:GH_TOKEN' : 'env:GITHUB_TOKEN' },
  ...defined({ apiUrl: variables['GITHUB_API_URL'] }),
})
