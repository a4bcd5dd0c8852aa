import { aTable } from './table.ts'

export const questions = aTable({
  id: '0',
  about: 'The three tools by question',
  rows: {
    'previous state': [
      'repaired',
      'None, a file that a refresh overwrites, or none.',
      'A record of what was agreed, beside what is desired and what is observed: so drift and a pending change are told apart.',
    ],
    identity: [
      'repaired',
      'An id or a name; type and name; type and a matcher.',
      'Keys and ids of the object itself, decided for all resources questions. A renamed object is found by its id.',
    ],
    'unmanaged attribute': ['taken over', 'What is not declared is not compared.', 'The same, and a write keeps it.'],
    'clearing an attribute': [
      'repaired',
      'Impossible; only to an empty value; by null.',
      'Three things: absent is not managed, null has no value, empty is empty.',
    ],
    'immutable attribute': [
      'repaired',
      'Tried; an error at the apply; always created again.',
      'Decided in the plan, and by the user.',
    ],
    'comparison of lists': [
      'repaired',
      'Sets without multiplicity; exact or a set; multisets without live extras.',
      'Ordered, counted set, or matched by a key, as the attribute says.',
    ],
    'undeclared resources': [
      'repaired',
      'Never removed; removed if in the state; never removed.',
      'What was recorded is deleted, forgotten or reported, as `orphans` says; what was never recorded is not touched.',
    ],
    'output of a check': [
      'taken over',
      'Requests; a diff of attributes; operations.',
      'Both: the diff with its causes, and the exact requests that repair it.',
    ],
    'order of work': ['taken over', 'Of the file; by priority and edges; by edges.', 'By edges; deletes in reverse.'],
    'failure of one resource': [
      'taken over',
      'All fails; all stops; dependents are skipped.',
      'Dependents are skipped, the rest goes on.',
    ],
    'guard against a stale plan': [
      'repaired',
      'None; of the state file; none.',
      'The commands are planned again and compared, and each object is read again before its write.',
    ],
    'slow operations': [
      'repaired',
      'Polled in the process; blocking; blocking.',
      'A waiter is a part of the command; its progress is in the ledger, and another worker continues it.',
    ],
    'failed read': [
      'repaired',
      'Fatal; taken for absent; taken for absent.',
      'Unchecked with its reason. In sync is not said, and nothing is planned.',
    ],
  },
})
