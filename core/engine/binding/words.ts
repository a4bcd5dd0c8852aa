import type { Doubt } from '../schema/resource.ts'
import { doubtWords } from '../values/words.ts'

const wayOn = 'to delete the object with its name, declare it with `absent: true`; to keep it, declare it as it is'

const byAddress = (owner: string): string =>
  `refer to it by its address (\${resource.${owner}.…}), so that the reference has the name that the overlay gives`

const namelessWays = {
  present: 'if there is one, name it under import; if there is none, list this under gone, and it is created again',
  absent: 'if there is one, name it under import, and it is deleted; if there is none, list this under gone',
  left: 'delete that by hand, or declare it again with the id of that one under import; then, or if there is none, list this under removed',
}

const deletedWays = {
  present:
    'to keep this one, name it under import, or list the resource under gone; to leave it alone, declare another name',
  absent:
    'to delete this one, list the resource under gone; to leave it alone, take the resource out and list it under removed',
  left: 'to leave it alone, list it under removed; to keep it, or to delete it (absent: true), declare it again and list it under gone',
}

const underWayWays = {
  present: 'if nothing will come, list this under gone, and it is created again',
  absent: 'if nothing will come, list this under gone',
  left: 'if nothing will come, or to leave it alone, list this under removed',
}

export const unclear = {
  notLookedFor: 'it was not searched for',
  renamed: 'the object with its id has another name by now, so that it may be in use for something else',
  renamedOrReused:
    'the object with its id has another name now; it was renamed, or another object got the id after it was gone; if it is this object, declare it with its name of now (absent: true, to delete it); if it was deleted, list it under `gone`; to leave it alone, under `removed`',
  changedOrReused: (name: string) =>
    `the object with its id has another name and another ${name} now; it was changed, or another object got the id after it was gone; if it is this object, declare it with its name of now; if it was deleted, list it under \`gone\``,
  moved: (name: string) =>
    `the object with its id has another ${name} now, which never changes by a request: somebody has moved it; to keep it there, declare it there; to have another one made here, list it under \`gone\`; to leave it alone, take it out and list it under \`removed\``,
  otherId: 'the object with its name has another id now; it may be another object',
  goneById: 'it is not found by its id, and it is still found by its name',
  notImported: '`import` names an object that does not exist; correct its id, or remove the entry to create the object',
  nameless: (keys: readonly string[], desired: 'present' | 'absent' | undefined) =>
    `a create of it was sent and got no answer, and nothing finds what it may have made without ${keys.join(', ')}, which the server sets: look in the target for one that nobody else made; ${namelessWays[desired ?? 'left']}`,
  underWay: (desired: 'present' | 'absent' | undefined) =>
    `the target accepted its create, and was still at work on it when the apply ended; nothing is there yet; ${underWayWays[desired ?? 'left']}`,
  deleted: (desired: 'present' | 'absent' | undefined) =>
    `${doubtWords.deleted}, and what is found is not proven to be the object that was to be deleted: another object may have its name now; ${deletedWays[desired ?? 'left']}`,
  twoObjects: 'the object that was recorded for it still exists, and another one has the name that is configured now',
  strayed: (parent: string) =>
    `it is found by what it was recorded to belong to, and that is no longer ${parent}; ${wayOn}`,
  unclearParent: (parent: string) => `it refers to ${parent}, and it is not known which object that is`,
  succeeded: `a new name or a successor of it was sent, and its result is unknown; ${wayOn}`,
  contested: (others: readonly string[]) =>
    `${others.join(' and ')} would be the same object; leave it to one of them; to exchange names, give one of them a third name first, and then each its own, with an apply after each; where names never change, exchange the addresses under moved: each from its own to the other`,
  held: (workspace: string, owner: string) =>
    `it would be ${owner} of ${workspace}, and a preview changes nothing of that; give it another name in the overlay`,
  heldAt: (workspace: string, owner: string, url: string) =>
    `its request goes to ${url}, and that is ${owner} of ${workspace} or a part of it; a preview changes nothing of that`,
  heldIn: (workspace: string, owner: string) =>
    `it would be in ${owner} of ${workspace}, and a preview changes nothing of that; ${byAddress(owner)}`,
  refersToHeld: (workspace: string, owner: string) =>
    `it would refer to ${owner} of ${workspace}, which may be what it is put into; ${byAddress(owner)}, or let that be only read (readOnly) to share it`,
  mayBeHeldIn: (workspace: string, owner: string) =>
    `it may be in ${owner} of ${workspace}, which could not be read; check ${workspace}`,
  mayBeHeld: (workspace: string, rival: string) =>
    `it may be ${rival} of ${workspace}, which could not be read; give it another name in the overlay, or check ${workspace}`,
  /** For a replacement. */
  alsoReplaced: (others: readonly string[]) =>
    `a replacement of it would destroy the object of ${others.join(' and ')}, which has another type and the same URL; set lifecycle.onImmutable to report`,
  alsoDeclared: (others: readonly string[]) =>
    `a delete of it would destroy the object of ${others.join(' and ')}, which has another type and the same URL; if it left the configuration, list it under \`removed\``,
  doubted: (doubt: Doubt) => orAnother(doubtWords[doubt]),
  otherValue: (name: string) => orAnother(`the object with its name has another ${name} now`),
}

const orAnother = (why: string): string => `${why}, so that it may be another object; ${wayOn}`
