export const wordList = (text: string): readonly string[] => text.trim().split(/\s+/)

/** The words of a name in lower case: `petOrderID`, `pet-order-id` and `PetOrder_id` are pet, order, id. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** The same text for a name in every style of spelling. */
export const plainWord = (name: string): string => wordsOf(name).join('')

const secretWords = /(password|passwd|passphrase|secret|privatekey|apikey|accesskey|credential|token)s?$/
const publicWords = /(public|type|id|name|url|uri|endpoint|expires|expiry|ttl|lifetime|count|limit)$/

export const soundsSecret = (name: string): boolean => {
  const plain = plainWord(name)
  return (
    secretWords.test(plain) &&
    !publicWords.test(plain) &&
    !/^(next|page|continue|cursor|sync)?pagetoken$|^(next|continue|sync)token$/.test(plain)
  )
}

const ownerWords = new Set(['owner', 'user', 'author', 'creator', 'customer', 'account', 'tenant'])
/** Properties of an owner that a member may contain. */
const idWords = new Set(wordList('id uuid guid uid url uri href link name username email login key pk'))

/** Names of members that identify the owner of an object: `owner`, `user_uuid`, `createdBy`, `customer_url`. */
export const soundsOwned = (name: string): boolean => {
  const [first = '', ...others] = wordsOf(name)
  const [last, before] = [first, ...others.filter((word) => !idWords.has(word))].toReversed()
  if (last === 'by') return before === 'created' || before === 'owned'
  return !['is', 'has', 'can', 'last'].includes(first) && ownerWords.has(last ?? '')
}

/** Words for objects that are out of use or take no more changes, and for objects in use. */
const shutWords = new Set(
  wordList(`
    archived archive blocked block closed deactivated deleted disabled disable expired frozen freeze hidden inactive locked lock
    paused protect protected protection readonly removed retired revoked sealed shut stopped suspended suspend terminated trashed
  `),
)
const openWords = new Set(wordList('active enabled enable open published running'))
/** Words beside which such a word describes the object: `is_blocked`, `blockedAt`, `lockReason`. */
const besideWords = new Set(wordList('is has was at on by since until reason state date time'))

const shutWord = (name: string): 'shut' | 'open' | undefined => {
  const words = wordsOf(name).filter((word) => !besideWords.has(word))
  if (words.join('') === 'readonly' || words.some((word) => shutWords.has(word))) return 'shut'
  return words.length === 1 && openWords.has(words[0] ?? '') ? 'open' : undefined
}

/**
 * Switches that may close an object for further changes and cannot be set back: `blocked`, `archived_at`, `enabled`.
 */
export const soundsShutting = (name: string): boolean => shutWord(name) !== undefined

/** Whether such a switch is on while the object can still be changed. */
export const openSide = (name: string): boolean => shutWord(name) === 'open'

/** Names of members with the time at which an object was made: `created`, `createdAt`, `creation_date`, `registeredAt`. */
export const soundsCreated = (name: string): boolean => {
  const words = wordsOf(name)
  const rest = words.filter((word) => !timeWords.has(word)).join('')
  return ['created', 'creation', 'inserted'].includes(rest) || (madeWords.has(rest) && words.length > 1)
}
/** Without a word for a time, such a member may be a switch, a number or a person. */
const madeWords = new Set(wordList('create registered registration provisioned added made born'))
const timeWords = new Set(wordList('at on time date timestamp ts utc datetime'))

/** Names of members that contain the id of another object. A name of one word is the object's own id. */
export const soundsReferring = (name: string): boolean => {
  const words = wordsOf(name)
  return words.length > 1 && ['id', 'ids', 'uuid', 'uuids', 'guid', 'guids'].includes(words.at(-1) ?? '')
}
