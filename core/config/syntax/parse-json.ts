import type { Node, ParseError } from 'jsonc-parser'
import { parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Located, Member, Parsed, Problem } from './located.ts'
import {
  addMember,
  exactNumber,
  locatedList,
  locatedMap,
  locatedScalar,
  maxDepth,
  tooDeep,
  wellFormedText,
} from './located.ts'

const mistakes: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  InvalidSymbol: ['a word that JSON does not have', 'put text in double quotes'],
  InvalidNumberFormat: ['not a number', 'write it as JSON does, or in double quotes'],
  PropertyNameExpected: ['a key is missing here', 'put the key in double quotes; remove a comma at the end'],
  ValueExpected: ['a value is missing here', 'write a value, or remove the comma or key before it'],
  ColonExpected: ['":" is missing here', 'put ":" between key and value'],
  CommaExpected: ['"," is missing here', 'put "," between two elements'],
  CloseBraceExpected: ['"}" is missing here', 'close what was opened'],
  CloseBracketExpected: ['"]" is missing here', 'close what was opened'],
  EndOfFileExpected: ['something follows the end of the value', 'keep one value a file'],
  InvalidCommentToken: ['a comment, which JSON does not have', 'remove it, or name the file .jsonc'],
  UnexpectedEndOfComment: ['a comment that does not end', 'close it with "*/"'],
  UnexpectedEndOfString: ['a text that does not end', 'close it with a double quote'],
  UnexpectedEndOfNumber: ['a number that stops half way', 'write the rest of it'],
  InvalidUnicode: ['a \\u escape without four hexadecimal digits', 'write it as \\u0041'],
  InvalidEscapeCharacter: ['an unknown escape after "\\"', 'write "\\\\" for a backslash'],
  InvalidCharacter: ['a character that must not stand here', 'remove it, or escape it inside a text'],
}

const ofError = (error: ParseError): Problem => {
  const [message, fix] = mistakes[printParseErrorCode(error.error)] ?? [
    'this is not valid JSON',
    'look at this line and the one before it',
  ]
  return { at: error.offset, message, fix }
}

interface Walk {
  readonly problems: Problem[]
  readonly lineOf: (offset: number) => number
}

const fromObject = (node: Node, walk: Walk, depth: number): Located => {
  const members = new Map<string, Member>()
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined || value === undefined) continue
    const member = { node: locate(value, walk, depth + 1), keyAt: key.offset }
    addMember(members, String(key.value), member, walk.problems, walk.lineOf)
  }
  return locatedMap(members, node.offset)
}

const locate = (node: Node, walk: Walk, depth: number): Located => {
  const at = node.offset
  if (depth > maxDepth) {
    walk.problems.push(tooDeep(at))
    return locatedScalar(null, at)
  }
  if (node.type === 'object') return fromObject(node, walk, depth)
  if (node.type === 'array') {
    return locatedList(
      (node.children ?? []).map((child) => locate(child, walk, depth + 1)),
      at,
    )
  }
  if (node.type === 'number') return exactNumber(Number(node.value), at, walk.problems)
  if (node.type === 'string') return wellFormedText(String(node.value), at, walk.problems)
  return locatedScalar(node.value as null | boolean, at)
}

/** JSON, or JSON with comments and a comma at the end. */
export const parseJson = (text: string, comments: boolean, lineOf: (offset: number) => number): Parsed => {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, {
    disallowComments: !comments,
    allowTrailingComma: comments,
    allowEmptyContent: true,
  })
  const problems = errors.map(ofError)
  if (problems.length > 0 || tree === undefined) return { problems }
  const root = locate(tree, { problems, lineOf }, 0)
  return { root, problems }
}
