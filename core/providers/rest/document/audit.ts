import * as z from 'zod'
import { described, name, objectChapter, optional } from '../../../engine/schema/described.ts'
import { listing } from './operation/operation.ts'
import { bodyRule } from './shared/answers.ts'
import { place, several } from './shared/words.ts'

const about = z.strictObject({
  when: described(several(bodyRule), 'Rules for the entry; all must hold.', [{ place: 'action', is: ['repo.access'] }]),
  attributes: optional(
    several(name),
    'The attributes that such an entry changed; when left out, it deleted the object.',
    ['visibility'],
  ),
})

export const audit = objectChapter(
  'audit',
  'Who changed it',
  'The log in which the API says who changed what. It is read only if an object of the type has drifted, once for each such object. If it cannot be read, or no entry fits, it is unknown who did it.',
  {
    list: described(
      listing,
      'How the entries are requested. `{after}` is the time of the last check without the difference, in UTC.',
      { op: 'auditLog', query: { phrase: 'repo:acme/{name} created:>={after}' } },
    ),
    at: described(
      several(place),
      'Where an entry has its time: RFC 3339, or seconds or milliseconds since 1970; of several places the first that has one.',
      ['@timestamp', 'created_at'],
    ),
    actor: described(several(place), 'Where an entry names who did it; of several places the first that has a value.', [
      'actor',
    ]),
    action: described(several(place), 'Where an entry names what was done.', ['action']),
    via: optional(several(place), 'Where an entry says by what: a token, an app, a key.', ['programmatic_access_type']),
    about: described(z.array(about).min(1), 'Which entries are about which attributes. No other entry is used.', [
      { when: [{ place: 'action', is: ['repo.access'] }], attributes: ['visibility'] },
    ]),
  },
)
export type Audit = z.infer<typeof audit>
