import { posix } from 'node:path'
import type { Diagnostic } from '../../schema/issue.ts'
import type { Configured, ProviderFactory, ProviderInput } from '../provider.ts'
import { hostFile } from './host-file.ts'
import { refusals } from './words.ts'

/** Files on the machine that runs the check: `with: { root }`, a folder that bounds every path of this provider. */
export const host: ProviderFactory = {
  configure: (input) => {
    const extra = Object.keys(input.with).find((member) => member !== 'root')
    if (extra !== undefined) return problem(input, refusals.unknownMember(input.alias), extra)
    const root = rootOf(input)
    if (typeof root !== 'string') return root
    const type = hostFile(root, input.files)
    return { ok: true, provider: { types: { [type.name]: type }, fileRoots: [root] } }
  },
}

const rootOf = (input: ProviderInput): string | Configured => {
  const { root } = input.with
  if (typeof root !== 'string' || root === '' || root.includes('\0')) {
    return problem(input, refusals.noRoot(input.alias), JSON.stringify(root ?? null))
  }
  if (root.startsWith('/')) return canonical(root)
  if (input.folder !== undefined) return canonical(`${input.folder}/${root}`)
  return problem(input, refusals.relativeRoot(input.alias), root)
}

const canonical = (path: string): string => {
  const normal = posix.normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}

const problem = ({ position }: ProviderInput, refusal: Diagnostic, value: string): Configured => ({
  ok: false,
  issues: [{ ...position, ...refusal, value }],
})
