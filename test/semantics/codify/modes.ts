import { aTable } from '../table.ts'

export const modes = aTable({
  id: '1C.3',
  about: 'Codify: modes, filters and refresh',
  rows: {
    'without state': [
      'repaired',
      'Plan and apply know no state: extra elements never go, and a list cannot be emptied.',
      'A record says what was agreed. Extras stay where the collection is `declared`, and go where it is `exclusive`.',
    ],
    'with state and with a configuration': [
      'repaired',
      'Extras become removals, but the command never uses this mode.',
      'One mode: what is desired, recorded and observed are compared in every check.',
    ],
    'with state and without a configuration': [
      'repaired',
      'Destroy takes the configuration as the state.',
      'A resource that left the configuration is deleted as it was recorded, and nothing else.',
    ],
    'input of a refresh': [
      'repaired',
      'Null, an object or several; of several matches the first is taken, with a line in the log.',
      'Present, absent or unknown; several matches are unchecked and nothing is sent.',
    ],
    'short circuit': [
      'taken over',
      'Parameters of an absent resource are not refreshed.',
      'Parts of an absent object are not read.',
    ],
    'refresh of parameters apart': [
      'taken over',
      'Each has its own refresh.',
      'Each part has its own read, and parts that share one share the request.',
    ],
    absence: [
      'repaired',
      'Decided by the author: a swallowed failure means create.',
      'Only a reliable answer means absent; any failure is unchecked with its reason, and nothing is planned.',
    ],
  },
})
