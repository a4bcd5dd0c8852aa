import * as z from 'zod'
import { described, name, objectChapter, optional } from '../../../engine/schema/described.ts'
import { place, several } from './shared/words.ts'

/** Variables of the target system, which it expands itself. */
export const expansion = objectChapter(
  'expansion',
  'Expansion',
  'Texts in which the target system replaces `${name}` by a value of its own. Such a text and the text that it becomes are equal; plans, requests and records keep the text as it is declared. In a configuration `$${name}` is the text `${name}`.',
  {
    attributes: described(several(name).min(1), 'The attributes whose texts are expanded, at any depth.', ['path']),
    values: optional(
      z.record(name, z.string()),
      'Variables and their values. `{attribute}` is the value of the resource, `{with.name}` what the workspace gives.',
      { projectKey: '{project}' },
    ),
    read: optional(
      z.strictObject({
        op: described(name, 'The operation of the type that answers them.', 'variables'),
        at: described(
          several(place).min(1),
          'Where in the answer the objects are that have variables as members; those of a later one count more.',
          ['standard', 'local'],
        ),
      }),
      'Variables that the target tells. They count more than `values`. If they cannot be read, a resource that uses one and is not observed as it is declared is unchecked.',
    ),
  },
)
export type Expansion = z.output<typeof expansion>
