export const entryFlaws = {
  afterEnd: 'it comes after the end of the ledger',
  missing: (wanted: number, found: number) => `entry ${wanted} is missing; entry ${found} is in its place`,
  gone: (seq: number) => `entry ${seq} is missing`,
  notLinked: 'it does not follow the entry before it',
  older: 'it is older than the entry before it',
  changed: 'it was changed after it was written',
  otherWorkspace: (workspace: string) => `it belongs to workspace ${workspace}`,
  unexpected: 'it is another than was expected',
  notExported: 'this line is not as it was exported',
}

export const endFlaws = {
  second: 'the ledger ends a second time',
  cut: (from: number, to: number) => `entries ${from} to ${to} are missing at the end`,
  otherCount: (said: number, found: number) => `its head counts ${said} entries, and there are ${found}`,
  otherHash: 'its head is not that of the last entry',
  changed: 'its head was changed',
  otherStart: 'no ledger begins as was expected',
  empty: 'it is empty, without even a head',
  noHead: 'its head is missing, so that a cut at its end cannot be excluded',
}

export const recordFlaws = {
  noOutcome: (command: string, apply: string) => `the outcome of ${command} in apply ${apply} has no entry`,
  noEnd: (apply: string) => `apply ${apply} has ended, but no entry records its end`,
  otherResults: (apply: string) => `apply ${apply} counts other results than its last entry`,
  otherApproval: (apply: string) => `apply ${apply} was approved in another way than its entries record`,
}

export const anchorFlaws = {
  noAnchor: 'it is no anchor',
  otherKey: 'it was not signed by this key, or was changed after that',
  otherWorkspace: (workspace: string) => `it belongs to workspace ${workspace}`,
  otherDeployment: (deployment: string) => `it belongs to the deployment ${deployment}`,
  missing: (to: number) => `the chain does not reach entry ${to}, which was anchored`,
  rewritten: (from: number, to: number) =>
    from === to ? `entry ${to} is another than was anchored` : `one of the entries ${from} to ${to} was rewritten`,
}
