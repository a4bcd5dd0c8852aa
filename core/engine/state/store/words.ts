export const things = {
  stored: (what: string) => `the stored ${what}`,
  /** For a conflict about the recorded state as a whole. */
  recorded: (workspace: string) => `what is recorded of ${workspace}`,
  record: (address: string) => `record of ${address}`,
  ledger: (workspace: string) => `ledger of ${workspace}`,
  episode: (workspace: string) => `episode of ${workspace}`,
  workspace: (workspace: string) => `workspace ${workspace}`,
  configuration: (workspace: string) => `configuration of ${workspace}`,
  version: (workspace: string, version: number) => `version ${version} of the configuration of ${workspace}`,
  sight: (address: string) => `sight of ${address}`,
  plan: (run: string) => `plan of run ${run}`,
  reads: (workspace: string) => `history of reads of ${workspace}`,
  holdings: (workspace: string) => `what ${workspace} manages`,
  backup: (id: string) => `backup ${id}`,
}

/** The kinds of items in the store. */
export const kindNames = {
  workspace: 'workspace',
  removed: 'removal',
  directory: 'name',
  due: 'due check',
  quarantine: 'quarantine',
  delivery: 'delivery of a webhook',
  state: 'recorded state',
  recorded: 'record',
  backup: 'backup',
  reads: 'history of reads',
  holdings: 'list of what is managed, of workspace',
  homes: 'list of targets',
  version: 'version',
  source: 'last pull',
  run: 'run',
  pointer: 'pointer to a run',
  plan: 'plan',
  apply: 'apply',
  sight: 'sight',
  unfinished: 'waiting apply',
  idempotency: 'idempotency key',
  lock: 'lock',
  watch: 'watch of a lock',
  episode: 'episode',
  alert: 'alert',
  routed: 'alert for a route',
  undelivered: 'waiting alert',
  anchored: 'anchored head, of workspace',
  unanchored: 'waiting anchor',
  answers: 'pack of kept answers',
  entry: 'ledger entry',
  head: 'head of the ledger',
  stretch: 'beginning of a stretch of the ledger',
  chunk: 'chunk',
} as const

export const damages = {
  unreadable: 'it cannot be read',
  member: (path: string) =>
    path === '' ? 'it has another form' : `its member \`${path}\` is missing or has another form`,
  missing: (missing: number, all: number) => `${missing} of ${all} chunks are missing`,
  compression: 'its chunks cannot be decompressed',
  digest: (digest: string) => `its digest is not ${digest}`,
}

export const refusals = {
  count: (count: number) => `the store was given ${count} writes in one transaction`,
  sameKey: 'the store was given one key twice in one transaction',
  emptyKey: 'the store was given an empty key',
  malformedKey: 'the store was given a key with half of a surrogate pair',
  longKey: (bytes: number) => `the store was given a key that is ${bytes} bytes too long`,
  largeItem: (bytes: number) => `the store was given an item of ${bytes} bytes`,
  tooLarge: 'the store was given a transaction over 4 MB',
}

export const renamed = 'another workspace has its name now'

export const stateFlaws = {
  document: 'the state',
  noState: 'it is not JSON with a `formatVersion`',
  format: (found: string) => `there is no format "${found}"`,
  tooDeep: 'its values are nested too deeply',
  malformed: (place: string) => `${place}: half of a surrogate pair, which is no text`,
  member: (place: string, message: string) => `${place}: ${message}`,
  more: (count: number) => `and ${count} more`,
  digest: (found: string, right: string) =>
    `its digest is ${found}, and that of its content is ${right}: it was damaged or edited`,
  notDeclarable: (address: string) => `${JSON.stringify(address)} is no address that a configuration can declare`,
  value: (value: string, why: string) => `${value}: ${why}`,
  otherPart: (address: string) => `the address is ${address}, which says something else`,
  twice: (address: string) => `${address} is in it twice`,
  mark: (address: string, place: string) =>
    `${address} ${place}: only values and seals can be recorded, and no reference to a secret or to another value`,
}
