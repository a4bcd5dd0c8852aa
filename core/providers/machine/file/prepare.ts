import type { Prepared } from '../../../engine/provider/provider.ts'
import type { Diagnostic, Problem } from '../../../engine/schema/issue.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { WorkspaceFiles } from '../../../engine/schema/ports.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { placeIn, type Roots } from '../shared/place.ts'
import type { MachineScope } from '../shared/scope.ts'
import { refusals } from '../shared/words.ts'

/**
 * Written attributes in the form that reads answer too: the path relative to the root, `source` read into content, base64
 * only for content that is not UTF-8, the mode as four octal digits. Marks are kept.
 */
export const prepareFile = (written: JsonObject, machine: Pick<MachineScope, 'root' | 'home' | 'files'>): Prepared => {
  const { path, content, source, contentBase64, mode, ...rest } = written
  return preparing((refuse) => ({
    ...preparePath('path', path, machine, refuse),
    ...prepareContent({ content, source, contentBase64 }, machine.files, refuse),
    ...prepareMode(mode, refuse),
    ...rest,
  }))
}

/** The attributes, or every member that was refused. */
export const preparing = (prepare: (refuse: Refuse) => JsonObject): Prepared => {
  const problems: Problem[] = []
  const attributes = prepare((member, refusal) => {
    problems.push({ path: [member], ...refusal })
    return {}
  })
  return problems.length > 0 ? { ok: false, problems } : { ok: true, attributes }
}

/** Reports an invalid member, which then has no attribute. */
export type Refuse = (member: string, refusal: Diagnostic) => JsonObject

/** The member that names a file, relative to the root. */
export const preparePath = (member: string, path: Json | undefined, roots: Roots, refuse: Refuse): JsonObject => {
  if (typeof path !== 'string') return path === undefined ? {} : { [member]: path }
  const place = placeIn(roots, path)
  return place ? { [member]: place.path } : refuse(member, refusals.outside(path, roots.root))
}

type Contents = Readonly<Record<'content' | 'source' | 'contentBase64', Json | undefined>>

const prepareContent = (written: Contents, files: WorkspaceFiles, refuse: Refuse): JsonObject => {
  const given = (['content', 'source', 'contentBase64'] as const).filter((name) => written[name] !== undefined)
  const [name, other] = given
  if (name === undefined) return {}
  if (other !== undefined) return refuse(other, refusals.both(name, other))
  const value = written[name] ?? null
  if (name === 'content') return { content: value }
  if (name === 'contentBase64' && isMark(value)) return { contentBase64: value }
  if (typeof value !== 'string') return refuse(name, refusals.noText(name))
  return name === 'source' ? readSource(value, files, refuse) : decode(value, refuse)
}

const readSource = (source: string, files: WorkspaceFiles, refuse: Refuse): JsonObject => {
  const content = files.get(source)
  return content === undefined ? refuse('source', files.refusal(source)) : { content }
}

const decode = (base64: string, refuse: Refuse): JsonObject => {
  let binary: string
  try {
    binary = atob(base64)
  } catch {
    // The only thing that it throws for.
    return refuse('contentBase64', refusals.noBase64())
  }
  try {
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return { content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    // No UTF-8: it stays bytes.
    return { contentBase64: btoa(binary) }
  }
}

/** `0644` without quotes is the number 644 in YAML; `0o644` is 420, whose digits would be another mode. */
export const prepareMode = (mode: Json | undefined, refuse: Refuse): JsonObject => {
  if (mode === undefined || mode === null || isMark(mode)) return defined({ mode })
  const [, digits] = /^(?:0o)?0?([0-7]{3,4})$/.exec(String(mode)) ?? []
  if (digits !== undefined && (typeof mode === 'string' || isLikely(digits))) return { mode: digits.padStart(4, '0') }
  return refuse('mode', refusals.noMode(JSON.stringify(mode)))
}

/** A mode gives a group or others no right that the owner lacks. A decimal number that does was not meant as a mode. */
const isLikely = (digits: string): boolean => {
  const [owner = 0, group = 0, others = 0] = digits.slice(-3).split('').map(Number)
  return (owner & group) === group && (owner & others) === others
}
