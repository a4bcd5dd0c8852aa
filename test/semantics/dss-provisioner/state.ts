import { aTable } from '../table.ts'

export const state = aTable({
  id: '1B.3',
  about: 'dss-provisioner: the state',
  rows: {
    write: [
      'repaired',
      'One file, replaced in one step, with one backup; code and variables in clear.',
      'One transaction; a backup for every correction, which import restores; secrets only as seals.',
    ],
    lock: [
      'repaired',
      'A lock on a local file, without a time limit.',
      'A lease with a fence in the store: the second apply is refused, and a dead owner loses it.',
    ],
    serial: [
      'taken over',
      'One more for each operation, and for a refresh that changed something.',
      'One more for each write of records.',
    ],
    'hash of attributes': [
      'taken over',
      'SHA-256 of canonical JSON.',
      'The same (RFC 8785), for every resource and for the whole document.',
    ],
    'digest of the state': [
      'repaired',
      'Contains the serial, so it says nothing that the serial does not.',
      'Lineage, serial, configuration, observed objects and engine are parts of their own, and each that moved is named.',
    ],
    'guard of the project': [
      'taken over',
      'A state of another project is an error.',
      'A state of another workspace or of another lineage is refused.',
    ],
  },
})
