export const caseNames = {
  facts: 'facts name attributes that exist',
  absent: 'an object that is missing is absent',
  reads: 'a read sends nothing but reads, and changes nothing',
  converges: 'write, then read, and nothing more is planned, for each thing that is declared',
  version: 'a version changes with its object',
  inverses: 'inverses restore what was there',
  deletes: 'a delete removes the object, and a second one is not planned',
  pure: 'the same change gives the same commands, made of plain JSON, and the change stays as it is',
  complete: 'each command is one complete write',
  apart: 'the object of other keys is another object',
  lists: 'a list has what was created, and does not have what was deleted',
  secrets: 'no command and no reason contains a secret',
  unknown: (failure: string) => `${failure} is unknown, whichever read it hits`,
  unlisted: (failure: string) => `${failure} is unknown, whichever request of a list it hits`,
}

export const failureNames = {
  status: (status: number) => `status ${status}`,
  reset: 'a reset',
  timeout: 'a time-out',
  truncated: 'truncated JSON',
  html: 'a page of HTML',
  words: 'made to fail',
}

/** `found`: JSON of what the provider did. */
export const faults = {
  facts: (places: readonly string[]) => `these facts name nothing: ${places.join('; ')}`,
  undeclared: (name: string) => `the schema has no attribute "${name}", which the case declares`,
  notAbsent: (found: string) => `the object does not exist, but its read is ${found}`,
  notPresent: (found: string) => `the object exists, but its read is ${found}`,
  wrote: (request: string) => `a read sent ${request}, which is no read`,
  threw: (name: string) => `a read threw ${name}; it may only reject with the error of the transport`,
  unstable: (first: string, second: string) => `two reads of the same object differ: ${first} and ${second}`,
  nothingPlanned: (declared: string) => `nothing is planned for ${declared}, although it is not there yet`,
  blocked: (declared: string, detail: string) => `the change to ${declared} is blocked: ${detail}`,
  noCommands: (declared: string) => `the change to ${declared} has no commands`,
  unchecked: (reason: string, detail: string) => `the read is unknown (${reason}): ${detail}`,
  notConverged: (declared: string, paths: string) => `after ${declared} was written, this still differs: ${paths}`,
  movedBetween: (paths: string) =>
    `between two commands this differs from what the commands before set: ${paths}; an apply would stop there (say in "footprint" what each command sets)`,
  refused: (request: string, status: number, body: string) => `${request} was answered with ${status} ${body}`,
  sameVersion: (version: string) => `the object was changed, and its version is still ${version}`,
  notRestored: (before: string, after: string) => `the inverses left ${after} instead of ${before}`,
  notSame: (first: string, second: string) => `two calls with the same change gave ${first} and ${second}`,
  notPlain: (value: string) => `the commands are not plain JSON: ${value}`,
  changedInput: 'the change was changed by the call',
  noWrite: (request: string) => `${request} is a command, but is not declared as a write`,
  relative: (url: string) => `${url} is not an absolute URL`,
  noMethod: (method: string) => `${method} is not a method in upper case`,
  oneLine: (text: string) => `the description ${text} is not one line of text`,
  noInverse: (request: string) => `${request} is graded reversible and has no inverse`,
  taken: (found: string) => `an object with other keys was created, and the read of this one is ${found}`,
  notListed: (keys: string) => `the list does not have ${keys}, which exists`,
  notDeleted: (found: string) => `the object was deleted, but its read is ${found}`,
  deleteAgain: 'the object was deleted, and its delete is planned again',
  stillListed: (keys: string) => `the list has ${keys}, which was deleted`,
  listUnknown: (detail: string) => `the list is unknown: ${detail}`,
  leaked: (where: string) => `${where} contains the value of a secret`,
  notUnknown: (nth: number, reason: string, found: string) =>
    `request ${nth} failed, so the result must be unknown (${reason}), but it is ${found}`,
  noReads: 'the read sent no request',
  unprepared: (problems: string) => `the declared attributes are refused: ${problems}`,
  noSecret: (source: string) => `the case has no value for the secret ${source}`,
}

export const places = { command: 'a command', description: 'a description', detail: 'the detail of an unknown read' }
