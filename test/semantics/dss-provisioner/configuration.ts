import { aTable } from '../table.ts'

export const configuration = aTable({
  id: '1B.1',
  about: 'dss-provisioner: configuration',
  rows: {
    file: [
      'repaired',
      'Unknown keys are refused, and a section with nothing in it is empty.',
      'Unknown keys are refused; null is not empty, so a section with nothing in it is refused with its line.',
    ],
    provider: [
      'repaired',
      'From the file, the environment of the shell, or a `.env` beside the file, in this order.',
      'From the file alone. It names the secrets and the variables that come from outside; no `.env` is read.',
    ],
    'path of the state': [
      'repaired',
      'Relative to the folder in which the command happens to run.',
      'The nearest `.plumbline/` from the folder of the workspace upwards, wherever the command runs.',
    ],
    sections: [
      'repaired',
      'One section for each kind, with friendly names of types.',
      'One list of resources, of whatever types the providers have.',
    ],
    names: [
      'taken over',
      'Unique in a namespace; collisions are named.',
      'Addresses are unique over all files; collisions are named with their lines.',
    ],
    address: [
      'repaired',
      'Another type is another address: the create runs before the delete of the same object, and fails.',
      'The object of two addresses is recognised by its URL: it is never deleted for the one and kept for the other.',
    ],
    'common attributes': [
      'taken over',
      'Name, description, tags as a set, `depends_on`.',
      'Tags are a set where the type says so; `dependsOn` is for all.',
    ],
    code: [
      'repaired',
      'Inline, from a named file, or from a file with a conventional name; the documentation and the program differ on which wins.',
      'Inline or from a named file, never both; the approved commands hold the content, and no name of a file is a convention.',
    ],
    'kind: variables': [
      'repaired',
      'Merged into the live ones, so a key can never be removed; a delete wipes all variables.',
      'The user chooses whether undeclared keys stay; settings that always exist are never deleted.',
    ],
    'kind: code environment': [
      'taken over',
      'One object for the project.',
      '`single`: settings that exist exactly once.',
    ],
    'kind: git library': [
      'repaired',
      'That an attribute is immutable is noticed at the apply.',
      'It is decided in the plan, and shown there.',
    ],
    'kind: foreign objects': [
      'repaired',
      'A read answers the declaration itself, if the source exists.',
      '`mode: reference`: the object is read and never written; what is compared was read.',
    ],
    'kind: zone': [
      'repaired',
      'A server without zones is tolerated, in silence.',
      'What cannot be read is unchecked, with the answer of the server.',
    ],
    'kinds: datasets': [
      'taken over',
      'Format parameters are compared in part; kinds have own attributes.',
      'The same, over four endpoints that are each written only when they differ.',
    ],
    'kinds: managed folders': [
      'taken over',
      'A kind of its own in the program.',
      'A kind is a document: it needs no program.',
    ],
    'kinds: recipes': [
      'taken over',
      'Inputs and outputs make the order.',
      'References make the order, in the plan and in the record.',
    ],
    'kinds: exposed objects': [
      'taken over',
      'Target projects are a set.',
      'Objects and their target projects are sets; undeclared objects stay shared.',
    ],
    'kinds: scenarios': [
      'repaired',
      'Steps and triggers are not read back.',
      'They are read; an edit by hand is drift.',
    ],
    'markers of attributes': [
      'taken over',
      'One marker for the place, one for references, one for the comparison.',
      'Facts of an attribute: each is used for reading, writing, comparing and the order.',
    ],
    modules: [
      'repaired',
      'A Python function, called once or for named instances; an exception names the module.',
      'A folder of data, with typed parameters and outputs; a problem has its file, its line and the calls that lead to it.',
    ],
  },
})
