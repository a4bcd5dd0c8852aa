import type { Doubt } from '../schema/resource.ts'
import type { Change } from '../schema/stored/plan.ts'
import { inYaml } from '../values/addresses/address.ts'
import { uncoded } from '../values/diagnose.ts'
import type { Reduction } from '../values/removals.ts'
import { firstOf } from '../values/texts/shorten.ts'
import { doubtWords, removalText } from '../values/words.ts'

export const blocks = {
  dependency: (address: string) => `it depends on ${address}, which is not known`,
  keepsItsName: (address: string) => `it refers to ${address} by a name that this plan cannot give it`,
  destroy: (what: 'replaced' | 'deleted') => `lifecycle.preventDestroy keeps it from being ${what}; remove it to go on`,
  notSent: (names: readonly string[]) =>
    `no request sends ${names.join(', ')}; the provider must say how to write this, or that it is computed or immutable`,
  notAdopted:
    'it exists and was never recorded here, and its type adopts nothing (lifecycle.adopt: false); list it under import to take it over, or give it another identity',
  /** `ids`: none where the other object has the recorded ones, or has no ids; then `doubt` shows it, if there is one. */
  madeAgain: (
    address: string,
    ids: Readonly<Record<string, string>>,
    action: 'take over' | 'delete',
    doubt: Doubt | undefined,
  ) => {
    const [to, alone] =
      action === 'delete'
        ? ['delete that one too', 'take the resource out of the configuration']
        : ['take that over', 'declare another name']
    return Object.keys(ids).length === 0
      ? `${doubt === undefined ? 'what only the server sets shows it' : doubtWords[doubt]}; to ${to}, list it under gone; to leave it alone, ${alone}`
      : `${spellIds(ids)} has it now; to ${to}, write import: [{ to: ${inYaml(address)}, id: { ${spellIds(ids)} } }]; to leave it alone, ${alone}`
  },
  notCreated:
    'it exists, and this preview did not create it; a preview changes and deletes only what it created; give it another name in the overlay',
  sameKeys: (keys: readonly string[]) =>
    `the new object would have the same ${keys.join(', ')} as the old one, so it cannot be created first; set lifecycle.replaceOrder to deleteFirst`,
  reusedIds: (keys: readonly string[]) =>
    `both objects would have the same ${keys.join(', ')}, and their ids are given again, so nothing would tell which is the new one; set lifecycle.replaceOrder to deleteFirst`,
  managedBy: (workspace: string, address: string) =>
    `${workspace} manages it too (${address}); let one of them go: list this under removed, so that it stays, or take it out of ${workspace} first`,
  managedThere: (workspace: string, address: string) =>
    `${workspace} manages it (${address}); take it out of ${workspace} first, or do not declare it absent here`,
  perhapsManaged: (workspace: string, address: string) =>
    `${workspace} manages ${address}, which may be the same object, by what it is called there; if it is, let one of them go; if it is not, list this under removed, and delete the object by hand`,
  holdsOthers: (workspace: string, address: string) =>
    `${workspace} manages ${address}, which is in it or needs it, and would go with it; take that out of ${workspace} first, or list this under removed, so that it stays`,
  unanswered: (beside: string, isNamed: boolean) =>
    `an apply sent its create and got no answer, and what it made cannot be told (${beside}): ${isNamed ? 'name the id of what it made under import, and the former object is deleted; or ' : ''}delete by hand what nobody needs; if the next check says this again, forget the record with plumbline state rm '${beside}'`,
  dependent: (address: string, why: string) =>
    `${address} needed it when it was applied last, and is not changed (${why}); correct that first, or name this resource under removed: then its object stays`,
  dependentOfOld: (address: string, why: string) =>
    `${address} needs the old object and is not changed (${why}); with lifecycle.replaceOrder: deleteFirst the old object is deleted all the same`,
  unread: (names: readonly string[]) =>
    `${names.join(', ')} could not be read, and would be lost; allow the credentials to read all of it`,
  frozen: (address: string, values: string) =>
    `${address} has ${values}, and takes no change; change that first, or together with this`,
  byHand: (paths: readonly string[]) =>
    `no request can change ${paths.join(', ')}; change it in the target by hand, or name it under lifecycle.ignoreChanges`,
  ruleChecks:
    'no resource declares it, and a rule about it only checks; declare it, or write repair: true under forAll of its rules',
  ruleMakesNothing: 'no resource declares it, and a rule makes and replaces nothing',
  notReplaced: 'it exists with another object and cannot be replaced; take the mark back with plumbline state untaint',
  readOnlyMissing:
    'it is only read (lifecycle.readOnly) and does not exist; correct what identifies it, or have it made by whoever manages it',
  readOnly:
    'it is only read (lifecycle.readOnly); have it changed by whoever manages it, or take out of the spec what need not be so',
  immutable: (paths: readonly string[]) =>
    `${paths.join(', ')} cannot change after creation; set lifecycle.onImmutable to replace, or name it under lifecycle.ignoreChanges`,
}

/** The way out where it is not known which object an apply made beside the object of a resource. */
export const besideUnclear = (address: string, owner: string): string =>
  `an apply may have made it for ${owner}, and no configuration names it: delete by hand what nobody needs; if the next check says this again, forget it with plumbline state rm '${address}'`

/** The way out where several objects have the name of a declared resource. */
export const importOne = 'name the one that is meant under import'

const leftAlone = 'to leave it alone, list it under removed'

/** The same for what left the configuration, by the name that it was recorded with. */
export const leftAmong = (name: string): string =>
  `they have ${name}, and it is no longer in the configuration: to keep or to delete one (absent: true), declare it again and name that one under import; ${leftAlone}`

/** The way out where a create got no answer, and what is configured now has another name or nothing has. */
export const sentAs = (name: string, isLeft: boolean): string | undefined => {
  const way = isLeft ? leftAlone : 'to give it the new name, declare this one first, with an apply after it'
  return name === '' ? undefined : `what was sent has ${name}; ${way}`
}

/** The way out in a preview, which has no entries for single objects. */
export const inPreview = (address: string, preview: string): string =>
  `in a preview, import, gone and removed have no effect: plumbline state rm -w ${preview} '${address}' forgets it, and its object is left alone`

/** The way out for what left the configuration and cannot be read any more, for example because what contained it is gone. */
export const leftUnread =
  'it is no longer in the configuration: to forget it without a request, for example because it is gone with what contained it, list it under removed'

/** A note on a resource whose object another workspace manages too. */
export const managedToo = (address: string, workspace: string, other: string, isLikely = false) =>
  uncoded(
    `${address} ${isLikely ? 'may be' : 'is'} the same object as ${other} of the workspace ${workspace}: each takes what the other applies for drift`,
    'let one of them go: list it under removed',
  )

/** A note on resources whose records were made before their provider document changed. */
export const agreedAnew = (addresses: readonly string[]) =>
  uncoded(
    `${firstOf(addresses, 3)} ${addresses.length === 1 ? 'is' : 'are'} read otherwise since the provider changed: what the target shows now counts as agreed, and not as changed outside`,
    'look at the changes in this plan, if there are any; nothing else is to be done',
  )

/** A note on a replacement that deletes what others need. */
const deletedWhile = (address: string, by: readonly string[], verb: string): string =>
  `${address} is deleted while ${firstOf(by, 3)} still ${verb}${by.length === 1 ? 's' : ''} it: the target may refuse that, or delete more with it`

/** `by`: what stays declared, and is in it or refers to it. */
export const stillUsed = (address: string, by: readonly string[]) =>
  uncoded(
    deletedWhile(address, by, 'name'),
    'to keep its object, declare it, or list it under removed; else let these go, too, or name another one in them',
  )

export const stillNeeded = (address: string, by: readonly string[]) =>
  uncoded(
    deletedWhile(address, by, 'need'),
    'where both objects can exist at once, set lifecycle.replaceOrder to createFirst',
  )

export const leavesOut = 'declared, but `ignore` of its provider leaves such elements alone'

export const appliesOnly = (attribute: string, values: string): string => `it applies only if ${attribute} is ${values}`

const spellIds = (ids: Readonly<Record<string, string>>): string =>
  Object.entries(ids)
    .map(([name, id]) => `${name}: ${/^[a-z][\w-]*$/i.test(id) ? id : JSON.stringify(id)}`)
    .join(', ')

/** Why a declared attribute cannot be compared. */
export const lacking = (path: string): string =>
  `the answer has no ${path}; if the API leaves out empty values, add leftOut or default to the attribute`

export const elementChanges = {
  order: (list: string) => `the elements of ${list} have another order`,
  other: (element: string, list: string) => `${element} of ${list} is not what it was`,
  gone: (element: string, list: string) => `${element} of ${list} does not exist any more`,
  moved: (element: string, list: string) => `${element} of ${list} is at another place`,
}

export const existence: Readonly<Partial<Record<Change['action'], string>>> = {
  create: 'it does not exist',
  delete: 'it still exists',
}

/** For an object that is only reported. */
export const orphaned = 'it left the configuration and still exists'

export const openValues = (values: readonly (readonly [name: string, detail: string])[]): string =>
  `${values.map(([name, detail]) => `${name}: ${detail}`).join('; ')}; everything else was compared`

export const savedFaults = {
  noBasis: 'this check does not say what it was made from; check again',
  otherFile: 'it is not a plan that `plumbline check --out` wrote, or another version wrote it',
  changed: 'it was changed after it was written',
}

export const noSubject = 'a resource that is neither desired nor recorded'

/** ` at private, topics`; empty for an object as a whole. */
const at = (paths: readonly string[]): string => (paths.every((path) => path === '') ? '' : ` at ${firstOf(paths, 5)}`)

export const policyRefusals = {
  tooMany: (count: number, most: number) => `${count} commands are more than maxChanges ${most}`,
  grade: (command: string, grade: string, allowed: readonly string[]) =>
    `${command} is ${grade}, and allowGrades has ${allowed.join(', ') || 'nothing'}`,
  widens: (address: string, paths: readonly string[]) =>
    `the change of ${address} gives more access${at(paths)}, and allowWidening is false`,
  tooManyRemoved: (count: number, most: number, type: string) =>
    `${count} ${type === '*' ? 'objects and elements' : `of ${type}`} would go, and maxRemovals is ${most}`,
  tooLargeShare: (removal: Reduction, most: string) => `${removalText(removal)} would go, and maxRemovals is ${most}`,
}
