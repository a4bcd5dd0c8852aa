import { aTable } from '../table.ts'

export const dependencies = aTable({
  id: '1B.2',
  about: 'dss-provisioner: dependencies and order',
  rows: {
    explicit: [
      'repaired',
      'An address that is only in the state, and about to be deleted, is accepted.',
      'The address must be declared; otherwise the configuration is refused, with its line.',
    ],
    inferred: [
      'repaired',
      'A name may match several types, all of them become edges; an unknown name is ignored.',
      'A reference has one type. A name that nothing has, or two have, makes the resource unchecked.',
    ],
    'foreign alias': [
      'taken over',
      'The name of a shared object is replaced by its full name.',
      '`emit` says which member of the found object is compared and sent.',
    ],
    order: [
      'repaired',
      'Topological, then by a priority of the kind, then by address; a circle lists its members.',
      'Topological, then by address, without priorities; a circle is refused with all its lines.',
    ],
    deletes: [
      'repaired',
      'In reverse, over stored edges, which a change of dependencies alone never renews.',
      'In reverse, over recorded edges; every check records a change of them.',
    ],
    'creates before deletes': [
      'repaired',
      'All creates, then all deletes; a renamed resource is created beside itself.',
      'Only dependencies make an order. A new address of the same object is a move: nothing is sent.',
    ],
  },
})
