import { diagnostics, type MessageAndFix, said } from '../../values/diagnose.ts'

const flatter = 'write it flatter'

/** By error code of the YAML library. Its own messages may quote the text, which can contain a secret. */
const yamlMistakes: Readonly<Record<string, MessageAndFix>> = {
  TAB_AS_INDENT: ['a tab in the indentation', 'indent with spaces'],
  BAD_INDENT: ['the indentation does not fit', 'align it with its neighbours, or close the bracket before it'],
  BLOCK_AS_IMPLICIT_KEY: [
    'a second ": " or a nested block where one value belongs',
    'put the value in quotes, or on a line of its own',
  ],
  BLOCK_IN_FLOW: ['a block inside { } or [ ]', 'close the bracket first, or write everything inside it in { } form'],
  MISSING_CHAR: ['a character is missing here', 'close the quote or bracket, or put a space after ":", "-" or ","'],
  MULTILINE_IMPLICIT_KEY: ['a key over several lines', 'put a ":" after the key, and the key on one line'],
  UNEXPECTED_TOKEN: [
    'something that does not belong here',
    'look at the line before; put text with special characters in quotes',
  ],
  BAD_DQ_ESCAPE: ['an unknown escape after "\\"', 'write "\\\\" for a backslash, or use single quotes'],
  BAD_SCALAR_START: ['a value cannot start with this character', 'put the value in quotes'],
  TAG_RESOLVE_FAILED: ['a tag (!...) that is not known here', 'remove the tag'],
  BAD_ALIAS: ['an alias that cannot be used', 'name an anchor (&name) that is defined before it'],
  BAD_DIRECTIVE: ['a directive (%...) that is not known', 'remove the line'],
  RESOURCE_EXHAUSTION: ['the nesting is too deep', flatter],
}

const jsonMistakes: Readonly<Record<string, MessageAndFix>> = {
  InvalidSymbol: ['a word that JSON does not have', 'put text in double quotes'],
  InvalidNumberFormat: ['not a number', 'write it as JSON does, or in double quotes'],
  PropertyNameExpected: ['a key is missing here', 'put the key in double quotes; remove a comma at the end'],
  ValueExpected: ['a value is missing here', 'write a value, or remove the comma or key before it'],
  ColonExpected: ['":" is missing here', 'put ":" between key and value'],
  CommaExpected: ['"," is missing here', 'put "," between two elements'],
  CloseBraceExpected: ['"}" is missing here', 'close what was opened'],
  CloseBracketExpected: ['"]" is missing here', 'close what was opened'],
  EndOfFileExpected: ['something follows the end of the value', 'keep one value per file'],
  InvalidCommentToken: ['a comment, which JSON does not have', 'remove it, or name the file .jsonc'],
  UnexpectedEndOfComment: ['a comment that does not end', 'close it with "*/"'],
  UnexpectedEndOfString: ['a text that does not end', 'close it with a double quote'],
  UnexpectedEndOfNumber: ['a number that stops half way', 'write the rest of it'],
  InvalidUnicode: ['a \\u escape without four hexadecimal digits', 'write it as \\u0041'],
  InvalidEscapeCharacter: ['an unknown escape after "\\"', 'write "\\\\" for a backslash'],
  InvalidCharacter: ['a character that is not allowed here', 'remove it, or escape it inside a text'],
}

export const say = diagnostics({
  notEvaluated: (file: string) =>
    said(
      `${file} is Jsonnet, which is evaluated only where its files are read from a disk`,
      'push the workspace with `plumbline workspace push` from its folder, or write what it evaluates to as JSON',
    ),
  invalidYaml: (mistake: string) =>
    yamlMistakes[mistake] ?? ['this is not valid YAML', 'look at this line and the one before it'],
  invalidJson: (mistake: string) =>
    jsonMistakes[mistake] ?? ['this is not valid JSON', 'look at this line and the one before it'],
  notUtf8: () => said('this is not UTF-8 text', 'save the file as UTF-8'),
  emptyFile: () => said('the file is empty', 'write a mapping of keys to values'),
  noContent: () => said('the file has no value', 'write a mapping of keys to values'),
  nesting: (most: number) => said(`more than ${most} levels of nesting`, flatter),
  stackOverflow: () => said('the nesting is too deep', flatter),
  notFinite: () => said('a number that JSON does not have', 'write a finite number, or text in quotes'),
  inexactNumber: () =>
    said(
      'a whole number too large to be kept exactly in this form',
      'write all its digits, or put it in quotes if it is an identifier',
    ),
  roundedNumber: () =>
    said(
      'a whole number that Jsonnet does not keep exactly',
      'put it in quotes if it is an identifier, or write { "$number": "<all its digits>" }',
    ),
  halfPair: () => said('half of a surrogate pair, which is not a character', 'write the whole character'),
  repeatedKey: (key: string, line: number) =>
    said(`the key "${key}" is written a second time (first in line ${line})`, 'remove one of the two'),
  prototypeKey: () => said('the key "__proto__" cannot be used', 'use another name'),
  keyNotText: () => said('a key that is not text', 'write the key as text, in quotes if need be'),
  notJson: () => said('a value that JSON does not have', 'put it in quotes, or remove its tag'),
  noAnchor: (name: string) =>
    said(
      `the alias *${name} has no anchor before it`,
      `write &${name} before the value that it repeats, outside that value`,
    ),
  aliases: (most: number) =>
    said(`the aliases expand to more than ${most} values`, 'write out less by aliases of aliases'),
  mergedNoMapping: () => said('"<<" merges mappings only', 'give it an alias of a mapping'),
  secondDocument: () => said('a second document starts here', 'keep one document per file: remove the "---"'),
})

/** For a file whose lines are not those of its value, such as Jsonnet. */
export const inItsValue = (message: string, path: string): string => `${message} (at ${path} of its value)`
