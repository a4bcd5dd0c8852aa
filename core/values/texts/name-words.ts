/* What names of members of an API say of them, in any way of writing names. */

/** Words that stand in one text. */
export const wordList = (text: string): readonly string[] => text.trim().split(/\s+/)

/** The words of a name, in lower case: `petOrderID`, `pet-order-id` and `PetOrder_id` are pet, order, id. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** The same under every way of writing names. */
export const plainWord = (name: string): string => wordsOf(name).join('')

const secretWords = /(password|passwd|passphrase|secret|privatekey|apikey|accesskey|credential|token)s?$/
const publicWords = /(public|type|id|name|url|uri|endpoint|expires|expiry|ttl|lifetime|count|limit)$/

/** Names under which secrets travel. */
export const soundsSecret = (name: string): boolean => {
  const plain = plainWord(name)
  return (
    secretWords.test(plain) &&
    !publicWords.test(plain) &&
    !/^(next|page|continue|cursor|sync)?pagetoken$|^(next|continue|sync)token$/.test(plain)
  )
}

const ownerWords = new Set(['owner', 'user', 'author', 'creator', 'customer', 'account', 'tenant'])
/** What of an owner a member may be. */
const idWords = new Set(wordList('id uuid guid uid url uri href link name username email login key pk'))

/** Names of members that say whose an object is: `owner`, `user_uuid`, `createdBy`, `customer_url`. */
export const soundsOwned = (name: string): boolean => {
  const [first = '', ...others] = wordsOf(name)
  const [last, before] = [first, ...others.filter((word) => !idWords.has(word))].toReversed()
  if (last === 'by') return before === 'created' || before === 'owned'
  return !['is', 'has', 'can', 'last'].includes(first) && ownerWords.has(last ?? '')
}
