import type { Request } from '../../schema/command.ts'
import { isObject, type Json } from '../../schema/json.ts'
import { unsayable } from '../words.ts'
import { comment, quoteWord, textWord, type Word, word } from './shell-word.ts'

/** A line for a POSIX shell, or a comment if `lineFor` has no line for the request. */
export const fileToShell = (request: Request): string => {
  const path = pathOf(request.url)
  const line = path === undefined ? undefined : lineFor(request, quoteWord(word(path)))
  if (line === undefined || line.includes('\0'))
    return comment(`${request.method} ${request.url}`, unsayable.noShellForm)
  return Object.entries(request.headers ?? {}).some(([name, value]) => /^if-none-match$/i.test(name) && value === '*')
    ? `test ! -e ${quoteWord(word(path ?? ''))} && ${line}`
    : line
}

const pathOf = (url: string): string | undefined => {
  try {
    return decodeURIComponent(new URL(url).pathname)
  } catch {
    // The URL contains no path, so the result is a comment.
    return undefined
  }
}

const lineFor = ({ method, body }: Request, path: string): string | undefined => {
  const { content, contentBase64, mode } = isObject(body) ? (body as Readonly<Record<string, Json>>) : {}
  switch (method) {
    case 'GET':
      return `cat ${path}`
    case 'DELETE':
      return `rm -f ${path}`
    case 'PATCH':
      return isMode(mode) ? `chmod ${quoteWord(textWord(mode))} ${path}` : undefined
    case 'PUT': {
      if (mode !== undefined && !isMode(mode)) return undefined
      const target = mode === undefined ? `cat > ${path}` : `install -m ${quoteWord(textWord(mode))} /dev/stdin ${path}`
      if (contentBase64 !== undefined) return `${printed(textWord(contentBase64))} | base64 -d | ${target}`
      return content === undefined ? undefined : `${printed(textWord(content))} | ${target}`
    }
    default:
      return undefined
  }
}

/** Other texts are refused because chmod may read them as options. */
const isMode = (mode: Json | undefined): mode is Json =>
  mode !== undefined && (typeof mode !== 'string' || /^[0-7]{3,4}$/.test(mode))

const printed = (text: Word): string => `printf %s ${quoteWord(text)}`
