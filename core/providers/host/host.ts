import { posix } from 'node:path'
import type { Configured, ProviderFactory, ProviderInput } from '../provider.ts'
import { hostFile } from './host-file.ts'

/** Files on the machine that runs the check: `with: { root }`, a folder that nothing of this provider ever leaves. */
export const host: ProviderFactory = {
  configure: (input) => {
    const extra = Object.keys(input.with).find((member) => member !== 'root')
    if (extra !== undefined)
      return problem(
        input,
        `provider ${input.alias} has an unknown setting`,
        extra,
        'the host provider knows `root` only',
      )
    const root = rootOf(input)
    if (typeof root !== 'string') return root
    const type = hostFile(root, input.files)
    return { ok: true, provider: { types: { [type.name]: type }, fileRoots: [root] } }
  },
}

const rootOf = (input: ProviderInput): string | Configured => {
  const { root } = input.with
  if (typeof root !== 'string' || root === '' || root.includes('\0')) {
    return problem(
      input,
      `provider ${input.alias} has no root`,
      JSON.stringify(root ?? null),
      'set `with: { root: /srv/app }`, the folder that it may manage',
    )
  }
  if (root.startsWith('/')) return canonical(root)
  if (input.folder !== undefined) return canonical(`${input.folder}/${root}`)
  return problem(
    input,
    `the root of provider ${input.alias} is relative, and this workspace has no folder on a machine`,
    root,
    'write an absolute path',
  )
}

const canonical = (path: string): string => {
  const normal = posix.normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}

const problem = ({ position }: ProviderInput, message: string, value: string, fix: string): Configured => ({
  ok: false,
  issues: [{ ...position, message, value, fix }],
})
