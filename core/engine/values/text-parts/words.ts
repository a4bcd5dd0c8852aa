export const unclear = {
  severalLines: (numbers: string) => `several lines fit: ${numbers}`,
  severalBlocks: (numbers: string) => `the block begins in several lines: ${numbers}`,
  openBlock: (number: string) => `the block that begins in line ${number} has no end`,
  strayEnd: (number: string) => `the block ends in line ${number}, and has no beginning`,
  otherForm: (name: string, numbers: string) => `line ${numbers} sets ${name} in a form that is not understood`,
  severalSets: (name: string, numbers: string) => `${name} is set in several lines: ${numbers}`,
  severalSections: (name: string, numbers: string) => `the section ${name} begins in several lines: ${numbers}`,
  severalKeys: (key: string, numbers: string) => `the key ${key} stands in several lines: ${numbers}`,
  nested: (key: string, number: string) => `the key ${key} in line ${number} has lines of its own`,
}

/** Why a file cannot contain a value. The value is not repeated, because it may be a secret. */
export const refused = {
  lines: 'the value has several lines, or a NUL character',
  start: 'the line does not begin with `startsWith`',
  blank: 'the text is empty',
  blockName: 'the name of a block has letters, digits, dots, dashes and underscores only',
  comment: 'the sign of a comment has one to four characters that are no letters, digits or spaces',
  blockLines: 'the content has carriage returns or NUL characters',
  markers: 'the content has a line that looks like the mark of a block',
  name: 'the name has characters that a shell does not take',
  expand:
    'with `expand`, the value has only variables as $NAME or ${NAME}, and no quotation marks, backslashes, backticks or other dollar signs',
  section: 'the name of a section has brackets, quotation marks, line feeds or spaces around it',
  key: 'the name of a key has an equals sign, brackets, spaces around it, or begins a comment',
  keyValue: 'the value has several lines, or spaces around it',
}

export const editWords = {
  invalid: 'the body is {edit, mode}, with an edit of a known kind',
  changed: 'it is not as it was when this was planned',
}
