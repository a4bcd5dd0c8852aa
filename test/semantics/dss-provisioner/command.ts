import { aTable } from '../table.ts'

export const command = aTable({
  id: '1B.5',
  about: 'dss-provisioner: command and pipeline',
  rows: {
    plan: [
      'taken over',
      'Ends with 0, 2 or 1; can save a file, and can leave out the refresh.',
      '`check` does, and ends with 3 where something could not be read.',
    ],
    apply: [
      'repaired',
      'Plans or takes a file; without a terminal it must be told to go on.',
      'The same, and an approval names the digest of exactly these commands.',
    ],
    destroy: [
      'repaired',
      'A command of its own.',
      'An empty configuration, with the same plan, approval and ledger as any other change.',
    ],
    refresh: [
      'repaired',
      'Asks, and then takes the drift for agreed in the state.',
      'Drift stays drift until it is repaired, or accepted into the configuration: `accept` changes the file.',
    ],
    drift: ['repaired', 'Ends with 0, also with drift.', '`check --refresh-only` ends with 2.'],
    validate: ['repaired', 'Runs a plan, so it asks the target.', 'Sends no request.'],
    preview: [
      'repaired',
      'A project with a derived name; tags of the project prove whose it is.',
      'A workspace of its own with its own state; only that state proves what it made, and nothing of the base can be touched.',
    ],
    'global options': ['taken over', 'Colors off by an option or the environment; version.', 'The same.'],
    output: ['taken over', 'A block for each resource with a mark, and a line with counts.', 'The same.'],
    'interface for programs': [
      'repaired',
      'Functions of the package.',
      'One JSON value for each command, with an error code where it fails; and an HTTP API.',
    ],
    pipeline: [
      'taken over',
      'A plan as an artifact, applied after a review; code 2 marks changes.',
      'The same, and the file is refused once it was applied or anything moved.',
    ],
  },
})
