import type { Request } from '../../schema/command.ts'
import { isArray, isObject, type Json } from '../../schema/json.ts'
import { isMark } from '../../schema/value.ts'
import { programIn } from '../programs.ts'
import { unsayable } from '../words.ts'
import { comment, quoteWord, textWord, word } from './shell-word.ts'

/** A line for a POSIX shell that runs the program with the same small environment. */
export const execToShell = (request: Request): string => {
  const { method, url, body } = request
  const program = programIn(url)
  const { args = [], env = {} } = isObject(body) ? (body as Readonly<Record<string, Json>>) : {}
  if (program === undefined || method !== 'POST' || !isArray(args) || !isObject(env) || isMark(env)) {
    return comment(`${method} ${url}`, unsayable.noShellForm)
  }
  const variables = Object.entries(env).map(([name, value]) => [{ text: `${name}=` }, ...textWord(value)])
  const words = [...variables, word(program), ...args.map(textWord)].map(quoteWord)
  const line = ['env -i PATH="$PATH" LANG=C.UTF-8 LC_ALL=C.UTF-8', ...words].join(' ')
  return line.includes('\0') ? comment(`${method} ${url}`, unsayable.nul) : line
}
