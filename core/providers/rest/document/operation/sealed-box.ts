import * as z from 'zod'
import { described, name, objectChapter, optional } from '../../../../engine/schema/described.ts'
import { place, several } from '../shared/words.ts'

export const sealedBox = objectChapter(
  'sealedBox',
  'Sealed boxes',
  'Values of a body that only the API may read: right before the send each is put into a sealed box of libsodium (X25519, XSalsa20-Poly1305), in Base64, for a public key that is read then. Plans and ledgers show the source of the value and the URL of the key, never the box, which is another one each time.',
  {
    values: described(
      several(place.min(1)),
      'Where the body has the values. If it has none of them, no key is read, and the body stays as it is.',
      ['encrypted_value'],
    ),
    op: described(name, 'The operation that reads the public key: a GET.', 'publicKey'),
    key: described(place.min(1), 'Where its answer has the key: 32 bytes in Base64.', 'key'),
    id: optional(
      z.strictObject({
        place: described(place.min(1), 'Where the answer has the id of the key.', 'key_id'),
        send: described(place.min(1), 'Where the body gets it.', 'key_id'),
      }),
      'The body names the key.',
    ),
  },
)
