import { aTable } from '../table.ts'

export const settings = aTable({
  id: '1C.2',
  about: 'Codify: what a resource type can declare',
  rows: {
    'identity and platforms': [
      'repaired',
      'An id, and the operating systems on which the type counts.',
      'The name of a type picks its provider, and an unknown type is refused. There is no filter by platform.',
    ],
    schema: [
      'taken over',
      'Validates the parameters, and says which are required.',
      'The same, before anything is read.',
    ],
    'sensitive resource': [
      'repaired',
      'The whole resource is left out of an import.',
      'Secrecy is a fact of an attribute; the rest of the resource is managed and shown.',
    ],
    'several instances': [
      'repaired',
      'Identifying parameters and a function that matches; of two matches the first one is taken.',
      'Identity keys, compared by the engine; two matches are unchecked.',
    ],
    'removal before destroy': [
      'taken over',
      'Parameters with a life of their own can be removed first.',
      '`beforeDelete` names the calls, each a command of its own.',
    ],
    dependencies: [
      'repaired',
      'Soft edges to all blocks of some types.',
      'Edges follow values: `ref` of an attribute.',
    ],
    'transformation of the resource': [
      'taken over',
      'A pair of functions over the whole resource.',
      'Data and no code: `path`, `send` and `envelope` say where an attribute is in an answer and in a body.',
    ],
    'import and destroy': [
      'repaired',
      'A type can prevent both; destroy is then silently nothing.',
      '`preventDelete`: a removed resource is forgotten, and the plan says so. `adopt: false`: an existing object is a blocked change.',
    ],
    'type of a parameter': ['taken over', 'Picks how values are compared.', 'The same.'],
    'default of a parameter': [
      'repaired',
      'Always inserted into what is desired.',
      'Only with `whenUndeclared: default`; otherwise the attribute is not managed.',
    ],
    'transformation of a parameter': [
      'taken over',
      'To an internal form and back.',
      'Normalisers on both sides, and `scale`.',
    ],
    'own equality': [
      'refused',
      'Any function of the author.',
      'No code in documents: `compareAs` names normalisers, which an auditor can read.',
    ],
    'can be modified': [
      'repaired',
      'Must be declared, or a change destroys the resource.',
      'Is the rule; `immutable` is the exception, and `onImmutable` decides what happens.',
    ],
    'setting of a parameter': [
      'repaired',
      'A parameter that configures the plugin and is never compared.',
      'Inputs of a provider are under `with`, not in the spec.',
    ],
    'sensitive parameter': [
      'repaired',
      'Masked in text; JSON and errors show it.',
      'The value is in no plan, record, ledger or error, only a keyed digest of it.',
    ],
    'elements of a list': [
      'repaired',
      'Own equality of elements, and a filter that hides live extras by default.',
      'Elements have a key and facts of their own; which extras stay is declared by `manage`.',
    ],
    'parameters with a life of their own': [
      'taken over',
      'Own refresh, add, modify and remove, in an order.',
      'A collection is read and written apart, with one operation for each element.',
    ],
  },
})
