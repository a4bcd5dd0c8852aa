import { aTable } from '../table.ts'

export const apply = aTable({
  id: '1C.5',
  about: 'Codify: apply',
  rows: {
    create: [
      'taken over',
      'Create, then the parameters apart, in their order.',
      'The create, then the parts that it cannot hold.',
    ],
    modify: [
      'repaired',
      'One call for each changed parameter; a failure between two leaves a half.',
      'One request with all changed attributes of a part.',
    ],
    'lists apart': [
      'taken over',
      'Elements are added and removed one by one.',
      'One command for each element that differs.',
    ],
    'create again': [
      'repaired',
      'Always destroy first; values come back only if they are declared.',
      'The order is declared, and undeclared values of the object are kept.',
    ],
    destroy: [
      'taken over',
      'Removals of parameters first, where the type says so.',
      '`beforeDelete`, then the delete.',
    ],
    verification: [
      'repaired',
      'The plugin plans again; a difference is an error that prints values, secrets too.',
      'All is read again; what still differs is named with its attributes, without secrets.',
    ],
    'partial failure': [
      'repaired',
      'What depends on a failed block is skipped, the rest goes on; the names are lost in the result.',
      'The same, and the result names what was applied, what failed, and what was skipped for which command.',
    ],
  },
})
