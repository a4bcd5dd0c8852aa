import { aTable } from '../table.ts'

export const comparison = aTable({
  id: '1C.4',
  about: 'Codify: from a difference to an operation',
  rows: {
    'nothing declared': ['taken over', 'No operation.', 'No change.'],
    'no live object': [
      'taken over',
      'Create; every parameter is added.',
      'Create; every declared attribute is in the diff.',
    ],
    'a parameter changed': [
      'repaired',
      'The resource is created again unless its author says otherwise.',
      'An update. That an attribute cannot change must be declared (`immutable`).',
    ],
    'a parameter that can be modified changed': ['taken over', 'Modify.', 'Update, without a flag.'],
    'two parameters changed, one of them cannot be modified': [
      'taken over',
      'The strongest operation wins: one re-creation.',
      'One replacement, whose create sends both values.',
    ],
    'the live object has more': [
      'taken over',
      'Undeclared parameters are not compared.',
      'The same, and a write keeps them.',
    ],
    'the live object lacks a declared parameter': [
      'repaired',
      'Added, by creating the resource again.',
      'Added by an update.',
    ],
    'null is declared': ['repaired', 'Removed, by creating the resource again.', 'Cleared by an update.'],
    'equal objects without a type': [
      'repaired',
      'Compared by reference, so they differ in every plan.',
      'Values are compared, whatever the type.',
    ],
    'equal objects with a type': ['taken over', 'No operation.', 'No change, also with members in another order.'],
    'an object with an extra member': [
      'repaired',
      'A difference; there is no partial comparison.',
      'Decided by the attribute: an `object` compares its declared members, a `map` compares all of them unless `manage: declared`.',
    ],
    versions: [
      'refused',
      'Equal if the desired text is a part of the live text.',
      'Texts are equal or not: 20 is not 3.20.1.',
    ],
    'a number and its text': [
      'repaired',
      'Equal after a conversion, for numbers and for texts.',
      'A configured value must have the type. Where the API writes another form, `as` says it.',
    ],
    'a missing boolean': [
      'repaired',
      'Missing and false are equal.',
      'Only if the document says that the default is false.',
    ],
    'a list in another order': [
      'repaired',
      'Always equal.',
      'A `set` is equal, a `list` is not: the order of a list is a part of its value.',
    ],
    'a list with fewer elements, filter on': [
      'taken over',
      'Additional live elements are not compared.',
      'The same with `manage: declared`; a write keeps them.',
    ],
    'a list with fewer elements, filter off': [
      'repaired',
      'The parameter is modified, or the resource created again.',
      'The additional elements are removed by an update (`exclusive`).',
    ],
    'an element twice': ['taken over', 'Lists are multisets.', 'Equal elements of a `set` are counted.'],
    'an empty list': [
      'repaired',
      'No operation, so a list can never be emptied.',
      'An empty list means: it must be empty.',
    ],
    'a list of equal objects': [
      'repaired',
      'Different, unless an element type is set.',
      'Equal, whatever is said about the elements.',
    ],
    'a parameter that is a setting': [
      'repaired',
      'Never a difference, in the place where differences are declared.',
      'Settings are not attributes: they are in `lifecycle` and in the provider, and changing them plans nothing.',
    ],
    'a default': [
      'repaired',
      'Inserted into what is desired, and compared.',
      'What is not declared is not managed. `whenUndeclared: default` chooses the other rule.',
    ],
    'a transformation': [
      'taken over',
      'Both sides are compared in one form.',
      '`scale` and normalisers do this, on both sides.',
    ],
    'a list with a life of its own': [
      'repaired',
      'Extras stay or go by a mode of the engine that no user can choose.',
      'The configuration chooses for each list: `lifecycle.manage`.',
    ],
    'a parameter operation': [
      'taken over',
      'Add, remove, modify or nothing, by which side has a value.',
      'The diff of each attribute says the same.',
    ],
    'a protected resource': [
      'repaired',
      'Destroy becomes no operation, silently.',
      'The delete is planned, shown as blocked, and never sent.',
    ],
  },
})
