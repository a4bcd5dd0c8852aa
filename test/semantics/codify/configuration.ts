import { aTable } from '../table.ts'

export const configuration = aTable({
  id: '1C.1',
  about: 'Codify: configuration and graph',
  rows: {
    files: [
      'repaired',
      'A list of blocks in JSON, JSONC, JSON5 or YAML, or a document in a cloud; all files of a folder count.',
      'YAML, JSON or JSONC. `include` names the files that count, and every problem has its file and line.',
    ],
    'project block': [
      'repaired',
      'One block of the type `project`, among the resources, names the plugins.',
      'The head of the file names the workspace and its providers; an included file cannot.',
    ],
    'resource block': [
      'refused',
      'A block for another operating system is dropped, without a word.',
      'Nothing that is declared is dropped: `os` is an unknown key.',
    ],
    identity: [
      'repaired',
      'Unnamed blocks of a type are numbered, so an inserted block renames the rest.',
      'Every resource has a name; an inserted one changes no other address.',
    ],
    'explicit dependency': [
      'taken over',
      'By id, or by a type for all its instances; an unknown one is an error with its place.',
      'By address, without a key for all instances; an unknown one is an error with its place.',
    ],
    'parameter reference': [
      'repaired',
      'Makes an edge, but the text stays; a name with a hyphen is not found, and repeated tests alternate.',
      'Makes the edge and becomes the value, whatever the name is and however often it is used.',
    ],
    'type dependency': [
      'repaired',
      'A type waits for all blocks of another type.',
      'A resource waits for the object that its attribute names, and for no other.',
    ],
    order: [
      'repaired',
      'Topological; what is independent comes in reverse order of the file.',
      'Topological; the order of the file changes no command and no digest.',
    ],
    validation: [
      'repaired',
      'By a schema, after every null was removed.',
      'By the schema of the provider, all problems at once; null is a value, and is refused where it cannot be.',
    ],
  },
})
