import { maxDepth, parseTaken } from './parse-value.ts'
import { enter, fail, leave, ownText, type Scan, type Selection, type State, startScan, take, taken } from './scan.ts'
import type { Value } from './value.ts'

/** Takes a document piece by piece. Both throw USAGE, which names the document and the place. */
export interface Scanner {
  push(piece: string): void
  /** The value, without the members and elements that were not selected. */
  end(): Value | undefined
}

const token = /^(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)$/

/** Reads JSON from pieces in one pass, with memory in proportion to the selected parts. */
export const createScanner = (name: string, wanted: Selection): Scanner => {
  const scan = startScan(name, wanted)
  return {
    push: (piece) => pushPiece(scan, piece),
    end: () => {
      if (scan.state === 'token') endToken(scan)
      if (scan.state !== 'end') fail(scan, 'the document ends within a value')
      return scan.root
    },
  }
}

const pushPiece = (scan: Scan, piece: string): void => {
  scan.piece = piece
  scan.at = 0
  while (scan.at < piece.length) (inText[scan.state] ?? passSign)(scan)
  for (const taking of scan.takings) {
    taking.parts.push(piece.slice(taking.start))
    taking.start = 0
  }
  scan.before += piece.length
  scan.piece = ''
  scan.at = 0
}

const quote = 0x22
const backslash = 0x5c

const passText = (scan: Scan): void => {
  const { piece } = scan
  let { at } = scan
  while (at < piece.length) {
    const code = piece.charCodeAt(at)
    if (code === quote || code === backslash || code < 0x20) break
    at += 1
  }
  scan.at = at
  if (at === piece.length) return
  const code = piece.charCodeAt(at)
  if (code < 0x20) fail(scan, 'a text with a character that JSON forbids there')
  scan.at += 1
  if (code === backslash) scan.state = 'escape'
  else if (scan.inKey) endKey(scan)
  else endValue(scan)
}

const passEscape = (scan: Scan): void => {
  const sign = scan.piece[scan.at] ?? ''
  if (!'"\\/bfnrtu'.includes(sign)) fail(scan, `a text with the escape "\\${sign}"`)
  scan.at += 1
  scan.state = sign === 'u' ? 'hex' : 'text'
  scan.hexLeft = 4
}

const passHex = (scan: Scan): void => {
  if (!/[0-9a-fA-F]/.test(scan.piece[scan.at] ?? '')) fail(scan, 'a text with an escape that is not hexadecimal')
  scan.at += 1
  scan.hexLeft -= 1
  if (scan.hexLeft === 0) scan.state = 'text'
}

const isTokenPart = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  code === 0x2b ||
  code === 0x2d ||
  code === 0x2e

const passToken = (scan: Scan): void => {
  const { piece, at: start } = scan
  let { at } = scan
  while (at < piece.length && isTokenPart(piece.charCodeAt(at))) at += 1
  scan.token += piece.slice(start, at)
  scan.at = at
  if (at < piece.length) endToken(scan)
}

const endToken = (scan: Scan): void => {
  if (!token.test(scan.token)) fail(scan, 'no JSON value')
  scan.token = ''
  endValue(scan)
}

const passSign = (scan: Scan): void => {
  const sign = scan.piece[scan.at] ?? ''
  if (sign === '\n') {
    scan.line += 1
    scan.lineStart = scan.before + scan.at + 1
  }
  if (sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t') scan.at += 1
  else if ((scan.state === 'first-key' && sign === '}') || (scan.state === 'first-element' && sign === ']')) close(scan)
  else (onSign[scan.state] ?? beginValue)(scan, sign)
}

const passColon = (scan: Scan, sign: string): void => {
  if (sign !== ':') fail(scan, '":" is missing')
  scan.at += 1
  scan.state = 'value'
}

const goOn = (scan: Scan, sign: string): void => {
  const inObject = scan.isObject[scan.depth] === 1
  if (sign === ',') {
    scan.at += 1
    scan.state = inObject ? 'key' : 'value'
  } else if (sign === (inObject ? '}' : ']')) close(scan)
  else fail(scan, inObject ? '"," or "}" is missing' : '"," or "]" is missing')
}

const beginKey = (scan: Scan, sign: string): void => {
  if (sign !== '"') fail(scan, 'a key is missing')
  scan.inKey = true
  if (scan.whole < 0) take(scan)
  scan.at += 1
  scan.state = 'text'
}

const endKey = (scan: Scan): void => {
  scan.inKey = false
  scan.state = 'colon'
  const frame = scan.frames.at(-1)
  if (scan.whole >= 0 || frame === undefined) return
  frame.key = String(parseTaken(ownText(taken(scan))))
}

const beginValue = (scan: Scan, sign: string): void => {
  enter(scan, sign)
  if (sign === '{' || sign === '[') open(scan, sign === '{')
  else if (sign === '"') {
    scan.state = 'text'
    scan.at += 1
  } else if (isTokenPart(sign.charCodeAt(0))) scan.state = 'token'
  else fail(scan, 'no JSON value')
}

const open = (scan: Scan, isObject: boolean): void => {
  if (scan.depth >= maxDepth) fail(scan, `more than ${maxDepth} levels deep`)
  scan.depth += 1
  scan.at += 1
  scan.isObject[scan.depth] = isObject ? 1 : 0
  scan.state = isObject ? 'first-key' : 'first-element'
}

const close = (scan: Scan): void => {
  scan.depth -= 1
  scan.at += 1
  endValue(scan)
}

const endValue = (scan: Scan): void => {
  scan.state = scan.depth === 0 ? 'end' : 'next'
  leave(scan)
}

/** Where characters have no special meaning. */
const inText: Readonly<Partial<Record<State, (scan: Scan) => void>>> = {
  text: passText,
  escape: passEscape,
  hex: passHex,
  token: passToken,
}

/** What a character does; in all other states it begins a value. */
const onSign: Readonly<Partial<Record<State, (scan: Scan, sign: string) => void>>> = {
  colon: passColon,
  next: goOn,
  end: (scan) => fail(scan, 'something follows the value'),
  key: beginKey,
  'first-key': beginKey,
}
