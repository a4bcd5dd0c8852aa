import { compile, type PatternStep } from './pattern-program.ts'

/*
 * A regular expression whose time grows linearly with the length of the text, never exponentially: all ways through the
 * expression are followed at once, character by character (K. Thompson, "Regular Expression Search Algorithm", 1968;
 * RE2 does the same). Syntax and meaning are those of JavaScript with the flag `u`.
 */

/** Longer texts are not matched: a text of this length takes well under a second with the largest expression. */
export const longestMatched = 10_000

export type LinearPattern = (text: string) => boolean

/** `invalid`: not a regular expression; `unbounded`: it looks around, refers back, or is too large. */
export type PatternFault = 'invalid' | 'unbounded'

const isRegularExpression = (source: string): boolean => {
  try {
    return new RegExp(source, 'u') !== undefined
  } catch {
    return false
  }
}

export const linearPattern = (source: string): LinearPattern | PatternFault => {
  if (!isRegularExpression(source)) return 'invalid'
  const program = compile(source)
  return program === undefined ? 'unbounded' : (text) => find(program, [...text])
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character)

const holds = (
  step: Extract<PatternStep, { readonly kind: 'assert' }>,
  text: readonly string[],
  at: number,
): boolean => {
  if (step.what === 'start') return at === 0
  if (step.what === 'end') return at === text.length
  return (isWord(text[at - 1]) !== isWord(text[at])) === (step.what === 'boundary')
}

/**
 * The steps that wait for a character and can be reached from `from` without reading one; true if the end of the
 * program is among them.
 */
const follow = (
  program: readonly PatternStep[],
  from: number,
  text: readonly string[],
  at: number,
  reached: Set<number>,
): boolean => {
  const open = [from]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    const step = program[next]
    if (step === undefined) return true
    if (step.kind === 'fork') open.push(...step.to)
    else if (step.kind === 'assert' && holds(step, text, at)) open.push(next + 1)
  }
  return false
}

/** The index after the last step is the end of the program. The search starts again at each character. */
const find = (program: readonly PatternStep[], text: readonly string[]): boolean => {
  let waiting = new Set<number>()
  for (let at = 0; ; at += 1) {
    if (follow(program, 0, text, at, waiting)) return true
    const character = text[at]
    if (character === undefined) return false
    const reached = new Set<number>()
    for (const each of waiting) {
      const step = program[each]
      if (step?.kind === 'character' && step.is(character) && follow(program, each + 1, text, at + 1, reached))
        return true
    }
    waiting = reached
  }
}
