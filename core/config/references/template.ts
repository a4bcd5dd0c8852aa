import type { Diagnostic } from '../../schema/issue.ts'
import { isObject, type Json, type Path, type Step } from '../../schema/json.ts'
import { secretKinds } from '../../values/secret-source.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import { say } from '../words.ts'

/** The contents of `${...}`. */
export type Expression =
  | { readonly kind: 'variable'; readonly name: string; readonly path: Path }
  | { readonly kind: 'workspace' }
  | { readonly kind: 'resource'; readonly address: string; readonly path: Path }

export type Part = { readonly text: string } | { readonly expression: Expression; readonly written: string }

type Steps = { readonly steps: readonly Step[]; readonly end: number }

const stepPattern = /\.([A-Za-z_][\w-]*)|\[(\d{1,9})\]|\["((?:[^"\\]|\\["\\])*)"\]/y

/** The steps `.a.b[0]["c d"]` from `start` on, as far as they are valid. */
const readSteps = (text: string, start: number): Steps => {
  const steps: Step[] = []
  let end = start
  stepPattern.lastIndex = start
  for (let match = stepPattern.exec(text); match !== null; match = stepPattern.exec(text)) {
    const [, member, index, quoted] = match
    steps.push(member ?? (index === undefined ? (quoted ?? '').replaceAll(/\\(.)/g, '$1') : Number(index)))
    end = stepPattern.lastIndex
  }
  return { steps, end }
}

const toExpression = (head: string, steps: readonly Step[]): Expression | undefined => {
  const [first, second, ...rest] = steps
  if (head === 'workspace' && first === undefined) return { kind: 'workspace' }
  if (head === 'var' && typeof first === 'string') return { kind: 'variable', name: first, path: steps.slice(1) }
  // An attribute must follow: a whole resource is not a value.
  if (head === 'resource' && typeof first === 'string' && second !== undefined && rest.length > 0) {
    return { kind: 'resource', address: `${first}.${second}`, path: rest }
  }
  return undefined
}

/** Resource names may start with a digit or hyphen, which a member step may not: they are read first. */
const resourceHead = /resource\.([\w-]+)\.([\w-]+)/y

const readExpression = (text: string, start: number): { expression: Expression; end: number } | undefined => {
  resourceHead.lastIndex = start
  const [whole, type, name] = resourceHead.exec(text) ?? []
  const head = whole === undefined ? (/^[a-z]+/.exec(text.slice(start, start + 20))?.[0] ?? '') : 'resource'
  const { steps, end } = readSteps(text, start + (whole ?? head).length)
  const all = type === undefined || name === undefined ? steps : [type, name, ...steps]
  const expression = text[end] === '}' ? toExpression(head, all) : undefined
  return expression === undefined ? undefined : { expression, end }
}

/** Splits a text at its references. `$${` is a plain `${`. */
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
      // The message does not repeat the text: a password may contain `${` too.
      if (found === undefined) return { wrong: say(text.includes('}', at) ? 'noReference' : 'openReference') }
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

/** Whether it is `{ secret: "..." }`: exactly this one member, and it is a text. */
export const isSecretForm = (value: Json | undefined): value is { readonly secret: string } =>
  isObject(value) && typeof value['secret'] === 'string' && Object.keys(value).length === 1

/**
 * The meaning of the text of a secret form: a source, or plain text in a member that happens to be called `secret`. A
 * word with a colon that is not a known source was meant as a source; a URL, a PEM key or any other text was not. The
 * text itself is never repeated, because it may be the secret.
 */
export const readSecret = (text: string): 'source' | 'plain' | Diagnostic => {
  const [, scheme = '', rest = ''] = /^([A-Za-z][\w+-]{0,30}):(?!\/\/)(.*)$/s.exec(text) ?? []
  if (scheme === '') return 'plain'
  if (!secretKinds.some((each) => each === scheme))
    return say('noSecret', suggest(scheme, secretKinds).replace(/(\w+)"\?$/, '$1:"?'))
  return rest.trim() === '' ? say('emptySecret', scheme) : 'source'
}
