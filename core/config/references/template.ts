import type { Diagnostic } from '../../schema/issue.ts'
import type { Path, Step } from '../../schema/json.ts'
import { say } from '../words.ts'

/** What stands inside `${...}`. */
export type Expression =
  | { readonly kind: 'variable'; readonly name: string; readonly path: Path }
  | { readonly kind: 'workspace' }
  | { readonly kind: 'resource'; readonly address: string; readonly path: Path }

export type Part = { readonly text: string } | { readonly expression: Expression; readonly written: string }

export type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly Part[] }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

type Steps = { readonly steps: readonly Step[]; readonly end: number }

const stepPattern = /\.([A-Za-z_][\w-]*)|\[(\d{1,9})\]|\["((?:[^"\\]|\\["\\])*)"\]/y

/** `.a.b[0]["c d"]` from `start` on, as far as it goes. */
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
  // An attribute must follow: a resource as a whole is no value.
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
export const parseTemplate = (text: string): ParsedTemplate => {
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
      // The text is not repeated: a password may contain `${` too.
      if (found === undefined)
        return { ok: false, diagnostic: say(text.includes('}', at) ? 'noReference' : 'openReference') }
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
  return { ok: true, parts: plain === '' && parts.length > 0 ? parts : [...parts, { text: plain }] }
}
