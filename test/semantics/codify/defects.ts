import { aTable } from '../table.ts'

export const defects = aTable({
  id: '1C.9',
  about: 'Codify: defects',
  rows: {
    'secrets in JSON': ['repaired', 'The JSON output shows them.', 'No output shows them, in text or in JSON.'],
    'drift in the exit code': [
      'repaired',
      'A plan ends with 0 with or without changes.',
      'A check ends with 0, 2, 3 or 1.',
    ],
    'matching at import': [
      'repaired',
      'The comparison of names is inverted, and ends at the first other type.',
      'An import leaves out what is declared, by its identity, and writes the rest.',
    ],
    'state of several instances': [
      'repaired',
      'The first entry of the state is used for all of them.',
      'Each instance is compared with its own record.',
    ],
    'state over configuration': [
      'repaired',
      'A refresh lets the state override what is desired.',
      'What is desired always comes from the configuration; the record only says what changed.',
    ],
    'double listing': [
      'repaired',
      'An import lists all instances twice.',
      'One list finds them all; a second one proves that the plan of what was written is empty.',
    ],
    'untyped objects': ['repaired', 'Differ for ever.', 'Are compared by value.'],
    'versions by a part of the text': ['repaired', 'Equal if one text contains the other.', 'Equal if they are equal.'],
  },
})
