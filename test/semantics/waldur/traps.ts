import { aTable } from '../table.ts'

export const traps = aTable({
  id: '1A.10',
  about: 'Waldur modules: traps',
  rows: {
    'create of something slow': [
      'repaired',
      'Check mode says that something changes, and does not show the request.',
      'Check mode logs the exact create, with how its end is recognised.',
    ],
    'empty list as a body': [
      'repaired',
      'Left out of the audit, and sent in a wrong form.',
      'Sent as `[]`, and shown as `[]`.',
    ],
    'one name in two scopes': [
      'repaired',
      'A cache by name gives both the object of the first scope.',
      'Each scope has its own object.',
    ],
    'composite key with two matches': ['repaired', 'The module crashes.', 'Unchecked, with the number of matches.'],
    'a filter that the server ignores': [
      'repaired',
      'The first object of the list is taken.',
      'Answers are compared with the wanted keys again.',
    ],
    'state in another spelling': [
      'repaired',
      'A failed operation is not recognised, and ends as a time-out.',
      'States are compared without case, `_`, `-` and spaces.',
    ],
    'not found, forbidden, failed': [
      'repaired',
      'All of them are fatal.',
      'Not found is absent; the others are unchecked.',
    ],
    'second page of a search': [
      'repaired',
      'Searches see the first page only.',
      'All pages are read, up to a limit that makes the list unknown.',
    ],
    'clearing an attribute': ['repaired', 'Null is never compared.', 'Null is sent.'],
    'attribute that only an action moves': [
      'repaired',
      'A PATCH is sent, accepted, and does nothing.',
      'The action is called, and the PATCH has the rest.',
    ],
  },
})
