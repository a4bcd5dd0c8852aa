/** Texts of this folder, except the messages of error codes. */

/** Why a URL in an answer must not be requested; follows "answered" and "it is". */
export const urlFaults = {
  tooLong: (most: number) => `a URL of more than ${most} characters`,
  hidden: 'a URL with control characters or backslashes',
  notHttp: 'a text that is not an http or https URL',
  otherHost: 'a URL on another host',
  credentials: 'a URL with a user name or password',
}

export const answerStatus = (status: number): string => `the answer has status ${status}`
export const tooDeep = (status: number): string => `status ${status} with a body that is nested too deep`

/** Replaces a text that could not be searched completely. */
export const withheld = '(withheld: it may hold a secret)'

export const fenceFaults = {
  slowStore: 'it answers so slowly that a lease ends before a write can leave',
  tooLong: (ms: number, wholeMs: number) =>
    `it may take ${Math.ceil(ms / 1_000)} s, and who sends it has ${Math.floor(wholeMs / 1_000)} s in all: lower \`timeoutMs\` of the provider, or give the apply more time`,
  lockNotRenewed: 'the lock could not be renewed while the write was under way',
}

export const valueFaults = {
  onlyBeforeWrite: 'it is known only right before a write',
  notNamed: 'the configuration does not name it',
  digestOnly: 'a request contains a value of which only the digest is known',
  waiting: (address: string) => `a request still waits for ${address}`,
  openReference: (address: string) => `a request contains the open reference ${address}`,
  noText: 'a list, an object or null cannot be a part of a text',
  otherValue: (place: string) => `${place} does not hold what was planned to be changed`,
}

/** Why a body was not encrypted; follows "was not sent". */
export const boxFaults = {
  noText: 'a value to encrypt is no text',
  noAnswer: (detail: string) => `the public key could not be read: ${detail}`,
  refused: (url: string, status: number) => `the public key could not be read: GET ${url} answered ${status}`,
  noKey: (url: string, place: string) => `GET ${url} answered no public key of 32 bytes in Base64 at ${place}`,
  noId: (url: string, place: string) => `GET ${url} answered no id of the public key at ${place}`,
  weakKey: (url: string) => `GET ${url} answered a public key that keeps nothing secret`,
}

/** Why a sign-in failed; follows the method and the URL. */
export const signInFaults = {
  otherMethod: 'was not sent: only GET and POST sign in',
  noKey: (algorithm: string) =>
    `was not sent: its key is no private key in PEM for ${algorithm} (PKCS#8, or PKCS#1 of RSA with 2048 bits or more)`,
  noAnswer: (detail: string) => `got no answer: ${detail}`,
  invalid: (detail: string) => `was not understood: ${detail}`,
  tooLarge: 'answered more than is read',
  refused: (status: number, code: string | undefined, words: string | undefined) =>
    `answered ${status}${code === undefined ? '' : ` (${code})`}${words === undefined ? '' : `: ${words}`}`,
  noToken: (status: number, isEmpty: boolean, place: string) =>
    `answered ${status} ${isEmpty ? 'with an empty token' : 'without a token'} ${place}`,
}

export const tokenPlaces = {
  body: (pointer: string) => `at ${pointer || 'its top'}`,
  header: (name: string) => `in its header ${name}`,
  cookie: (name: string) => `in its cookie ${name}`,
}

export const unsayable = {
  nul: 'contains a NUL character',
  noMethod: 'has no method',
  invalidHeader: 'has a header of several lines, or without a name',
  noShellForm: 'no shell form',
  sealed: 'has values that are encrypted for a key which is read right before',
}

export const asked = {
  token: (source: string) => `set it to the token that ${source} answers`,
  present: (source: string) => `set it to the present value of ${source}, as JSON`,
  secret: (source: string) => `set it to the secret ${source}`,
  answer: (address: string, pointer: string) => `set it to what ${address} answered at ${pointer}`,
  object: (address: string, isWhole: boolean) =>
    `set it to the JSON of ${address} as it is${isWhole ? '' : ', with new values:'}`,
  without: ', and without ',
  named: (what: string) => `(${what})`,
  secretOf: (source: string) => `the secret ${source}`,
  presentOf: (source: string) => `the present value of ${source}`,
  answerOf: (address: string, pointer: string) => `what ${address} answered at ${pointer}`,
  sealedValue: 'a sealed value',
  sealed: 'only the digest of this value is known',
}

export const quotaWords = {
  refused: (status: number, seconds: number) => `${status}: too many requests; it accepts the next one in ${seconds} s`,
}
