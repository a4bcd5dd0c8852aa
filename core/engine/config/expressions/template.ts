import type { Diagnostic } from '../../schema/issue.ts'
import { isObject, type Json, type Step } from '../../schema/json.ts'
import { secretKinds } from '../../values/secret-source.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import { say } from '../shared/words.ts'

export type ReferenceStep = Step | { readonly each: 'key' | 'value' }

export type Expression =
  | { readonly kind: 'variable'; readonly name: string; readonly path: readonly ReferenceStep[] }
  | { readonly kind: 'workspace' }
  | { readonly kind: 'each'; readonly path: readonly ReferenceStep[] }
  | { readonly kind: 'resource'; readonly address: string; readonly path: readonly ReferenceStep[] }
  /** If the module has forEach, the path begins with the key; the name of the output follows. */
  | { readonly kind: 'module'; readonly name: string; readonly path: readonly ReferenceStep[] }

export type Part = { readonly text: string } | { readonly expression: Expression; readonly written: string }

type Steps = { readonly steps: readonly ReferenceStep[]; readonly end: number }

const stepPattern = /\.([A-Za-z_][\w-]*)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|\[each\.(key|value)\]/y

const unquoted = (text: string): string | undefined => {
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

/** Reads the steps `.a.b[0]["c d"][each.key]` from `start`, as far as they are valid. */
const readSteps = (text: string, start: number): Steps => {
  const steps: ReferenceStep[] = []
  let end = start
  stepPattern.lastIndex = start
  for (let match = stepPattern.exec(text); match !== null; match = stepPattern.exec(text)) {
    const [, member, index, quoted, each] = match
    const name = member ?? (quoted === undefined ? undefined : unquoted(quoted))
    if (name !== undefined) steps.push(name)
    else if (index !== undefined) steps.push(Number(index))
    else if (each === 'key' || each === 'value') steps.push({ each })
    else break
    end = stepPattern.lastIndex
  }
  return { steps, end }
}

/**
 * Names of resources and modules may start with a digit or hyphen, which a member step may not, so they are read first.
 */
const namedHead = /resource\.([\w-]+)\.([\w-]+)|module\.([\w-]+)/y

interface ExpressionHead {
  readonly kind: string
  readonly type?: string
  readonly name?: string
  readonly length: number
}

const readHead = (text: string, start: number): ExpressionHead => {
  namedHead.lastIndex = start
  const [whole = '', type, name, module] = namedHead.exec(text) ?? []
  if (module !== undefined) return { kind: 'module', name: module, length: whole.length }
  if (type !== undefined && name !== undefined) return { kind: 'resource', type, name, length: whole.length }
  const [word = ''] = /^[a-z]+/.exec(text.slice(start, start + 20)) ?? []
  return { kind: word, length: word.length }
}

const toExpression = (
  { kind, type, name }: ExpressionHead,
  steps: readonly ReferenceStep[],
): Expression | undefined => {
  const [first, ...rest] = steps
  if (kind === 'workspace' && first === undefined) return { kind }
  if (kind === 'var' && typeof first === 'string') return { kind: 'variable', name: first, path: rest }
  if (kind === 'each' && (first === 'key' ? rest.length === 0 : first === 'value')) return { kind, path: steps }
  // An attribute or an output must follow, because a whole resource or module is not a value.
  if (first === undefined || name === undefined) return undefined
  if (kind === 'module') return { kind, name, path: steps }
  return kind === 'resource' ? { kind, address: `${type}.${name}`, path: steps } : undefined
}

const readExpression = (text: string, start: number): { expression: Expression; end: number } | undefined => {
  const head = readHead(text, start)
  const { steps, end } = readSteps(text, start + head.length)
  const expression = text[end] === '}' ? toExpression(head, steps) : undefined
  return expression === undefined ? undefined : { expression, end }
}

/** `text` starts where the reference does. */
const faultOf = (text: string) => {
  const end = text.indexOf('}')
  if (end < 0) return 'openReference'
  return /[“”„‘’]/.test(text.slice(0, end)) ? 'curlyReference' : 'noReference'
}

/** Splits a text at its references. `$${` means a plain `${`. */
export const parseTemplate = (text: string): { readonly parts: readonly Part[] } | { readonly wrong: Diagnostic } => {
  const parts: Part[] = []
  let plain = ''
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('$', at)
    if (next < 0) break
    plain += text.slice(at, next)
    at = next
    if (text.startsWith('$${', at)) {
      plain += '${'
      at += 3
    } else if (text.startsWith('${', at)) {
      const found = readExpression(text, at + 2)
      // The message does not repeat the text, because a password may also contain `${`.
      if (found === undefined) return { wrong: say(faultOf(text.slice(at))) }
      if (plain !== '') parts.push({ text: plain })
      parts.push({ expression: found.expression, written: text.slice(at, found.end + 1) })
      plain = ''
      at = found.end + 1
    } else {
      plain += '$'
      at += 1
    }
  }
  plain += text.slice(at)
  return { parts: plain === '' && parts.length > 0 ? parts : [...parts, { text: plain }] }
}

/** True only if `secret` is the single member and its value is a text. */
export const isSecretForm = (value: Json | undefined): value is { readonly secret: string } =>
  isObject(value) && typeof value['secret'] === 'string' && Object.keys(value).length === 1

/**
 * Decides whether the text of a secret form is a source, or plain text in a member that happens to be called `secret`.
 * A word with a colon that is not a known source is reported as a wrong source; a URL, a PEM key or any other text is
 * plain. The text is never repeated, because it may be the secret.
 */
export const readSecret = (text: string): 'source' | 'plain' | Diagnostic => {
  const [, scheme = '', rest = ''] = /^([A-Za-z][\w+-]{0,30}):(?!\/\/)(.*)$/s.exec(text) ?? []
  if (scheme === '') return 'plain'
  if (!secretKinds.some((each) => each === scheme))
    return say('noSecret', suggest(scheme, secretKinds).replace(/(\w+)"\?$/, '$1:"?'))
  return rest.trim() === '' ? say('emptySecret', scheme) : 'source'
}
