import { type JsonMistake, readJson } from '../../json/read-json.ts'
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

const problemOf = ({ at, kind }: JsonMistake): Problem => {
  if (kind === 'TooDeep') return tooDeep(at)
  const [message, fix] = mistakes[kind] ?? ['this is not valid JSON', 'look at this line and the one before it']
  return { at, message, fix }
}

/** JSON, or JSON with comments and a comma at the end. */
export const parseJson = (text: string, comments: boolean, lineOf: (offset: number) => number): Parsed => {
  const problems: Problem[] = []
  const read = readJson<Located>(
    text,
    {
      scalar: (value, at) =>
        typeof value === 'string' ? wellFormedText(value, at, problems) : locatedScalar(value, at),
      number: (source, at) => exactNumber(Number(source), at, problems),
      list: locatedList,
      object: (found, at) => {
        const members = new Map<string, Member>()
        for (const { key, keyAt, value: node } of found) addMember(members, key, { node, keyAt }, problems, lineOf)
        return locatedMap(members, at)
      },
    },
    { maxDepth, comments },
  )
  return 'value' in read ? { root: read.value, problems } : { problems: [...read.mistakes.map(problemOf), ...problems] }
}
