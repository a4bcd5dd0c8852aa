import type { Problem } from '../../schema/issue.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isMark } from '../../schema/value.ts'
import type { WorkspaceFiles } from '../../schema/workspace-files.ts'
import type { Prepared } from '../provider.ts'
import { placeIn } from './place.ts'

interface Workspace {
  readonly root: string
  readonly files: WorkspaceFiles
}

type Part = { readonly ok: true; readonly attributes: JsonObject } | { readonly ok: false; readonly problem: Problem }

const part = (attributes: JsonObject): Part => ({ ok: true, attributes })
const problem = (member: string, message: string, fix: string): Part => ({
  ok: false,
  problem: { path: [member], message, fix },
})

/**
 * Written attributes in the one form that reads answer too: the path relative to the root, `source` read into content,
 * base64 only for what is no UTF-8, the mode as four octal digits. Marks stay.
 */
export const prepareFile = (written: JsonObject, workspace: Workspace): Prepared => {
  const { path, content, source, contentBase64, mode, ...rest } = written
  const parts = [
    preparePath(path, workspace.root),
    prepareContent({ content, source, contentBase64 }, workspace.files),
    prepareMode(mode),
  ]
  const problems = parts.flatMap((each) => (each.ok ? [] : [each.problem]))
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, attributes: Object.assign({}, ...parts.map((each) => each.ok && each.attributes), rest) }
}

const preparePath = (path: Json | undefined, root: string): Part => {
  if (path === undefined) return part({})
  if (typeof path !== 'string') return part({ path })
  const place = placeIn(root, path)
  if (place) return part({ path: place.path })
  return problem(
    'path',
    `"${path}" is no file inside of ${root}`,
    `name a file inside of the provider's root, without ".."`,
  )
}

type Contents = Readonly<Record<'content' | 'source' | 'contentBase64', Json | undefined>>

const prepareContent = (written: Contents, files: WorkspaceFiles): Part => {
  const given = (['content', 'source', 'contentBase64'] as const).filter((name) => written[name] !== undefined)
  const [name, other] = given
  if (name === undefined) return part({})
  if (other !== undefined) return problem(other, `${name} and ${other} are both given`, 'keep one of them')
  const value = written[name]
  if (value === undefined || name === 'content') return part({ content: value ?? null })
  if (isMark(value)) return name === 'source' ? notText(name) : part({ contentBase64: value })
  if (typeof value !== 'string') return notText(name)
  return name === 'source' ? readSource(value, files) : decode(value)
}

const notText = (name: string): Part =>
  problem(name, `${name} is no text`, 'write it as a text that is known beforehand')

const readSource = (source: string, files: WorkspaceFiles): Part => {
  const content = files.get(source)
  if (content !== undefined) return part({ content })
  const { message, fix } = files.refusal(source)
  return problem('source', message, fix)
}

const decode = (base64: string): Part => {
  let binary: string
  try {
    binary = atob(base64)
  } catch {
    return problem('contentBase64', 'contentBase64 is no base64', 'encode the bytes with `base64 -w0 <file>`')
  }
  try {
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return part({ content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) })
  } catch {
    return part({ contentBase64: btoa(binary) })
  }
}

/** `0644` without quotes is the number 644 in YAML; `0o644` is 420, whose digits would be another mode. */
const prepareMode = (mode: Json | undefined): Part => {
  if (mode === undefined) return part({})
  if (isMark(mode) || mode === null) return part({ mode })
  const [, digits] = /^(?:0o)?0?([0-7]{3,4})$/.exec(String(mode)) ?? []
  if (digits !== undefined && (typeof mode === 'string' || isLikely(digits)))
    return part({ mode: digits.padStart(4, '0') })
  return problem(
    'mode',
    `"${JSON.stringify(mode)}" is no file mode`,
    'write four octal digits in quotes, for example "0644"',
  )
}

/** Nobody gives a group or others what the owner lacks; a decimal number that reads so was meant as something else. */
const isLikely = (digits: string): boolean => {
  const [owner = 0, group = 0, others = 0] = digits.slice(-3).split('').map(Number)
  return (owner & group) === group && (owner & others) === others
}
