import type { Command, CommandAction } from '../../../schema/command.ts'
import type { LastApplied } from '../../../schema/resource.ts'
import { uncoded } from '../../../values/diagnose.ts'
import { firstOf } from '../../../values/texts/shorten.ts'

/* All sentences about the undo of an apply. */

/** Why an apply as a whole cannot be undone. */
export const wholeFaults = {
  check: 'its mode is check, so it sent nothing',
  running: 'it has not ended yet',
  isUndo: 'it is an undo itself',
  former: 'it belongs to a former workspace of this name, which was removed',
  nothing: 'none of its commands was done',
  noPlan: 'its plan is not kept any more',
}

const lost = {
  create: 'what it created stays',
  delete: 'what it deleted stays lost',
  replace: 'what it replaced stays lost',
  update: 'the former values stay lost',
  call: 'what it started stays done',
} as const satisfies Readonly<Record<CommandAction, string>>

/** Why the part of an apply about one resource is left out of an undo. */
export const partFaults = {
  unknown: (id: string) => `it is not known whether ${id} was done`,
  /** `there`: places of what it may have lost that the object has now; nobody knows their former values. */
  noInverse: ({ id, grade, action, loses = [], moves = [] }: Command, there: readonly string[]) => {
    const gone = loses.filter((place) => !there.includes(place))
    const more = [...gone, ...moves.map((list) => `the order of ${list}`)]
    const named = more.length === 0 ? '' : `, with ${more.join(', ')}`
    const kept = there.length === 0 ? '' : `; the object has ${there.join(', ')}, perhaps as it was`
    return `${id} is ${grade} and has no inverse: ${lost[action]}${named}${kept}`
  },
  replaced: 'its object was replaced, and the former one cannot come back',
  noType: 'no provider of the configuration knows it any more',
  unread: (detail: string) => `it cannot be read: ${detail}`,
  keptFromDelete: 'undoing its create would delete it, and preventDestroy is set or its type prevents deletes',
  gone: 'its object does not exist any more',
  holds: (inside: readonly string[]) =>
    `its delete would destroy what is in it and nobody declares: ${firstOf(inside, 10)}; delete that by hand first, or take the resource out of the configuration`,
  there: 'an object with its name exists again, and is not as before the apply',
  noRecord:
    'its object is not recorded any more: what was deleted since then needs no undo; what still exists is taken over with `import:`, or deleted by hand',
  otherObject: 'the object with its name is not the one that the apply left',
  appliedSince: ({ applyId, actor: { subject }, at }: LastApplied) =>
    `apply ${applyId} of ${subject} has changed it at ${at}`,
  moved: (paths: readonly string[]) => `it has moved since the apply: ${paths.join(', ')}`,
  leftSo: (paths: readonly string[]) =>
    `the apply itself left it otherwise than planned, and no request brings that back: ${paths.join(', ')}`,
  otherPlace: 'the request that undoes it would not go to the place that its object has today',
  otherValues: (address: string) =>
    `its former request may name ${address} by an id or a value of the server, and ${address} gets another one when it is created again`,
  waits: (address: string, action: CommandAction) =>
    action === 'delete'
      ? `it depends on ${address}, which is not undone`
      : `${address} depends on it and is not undone`,
  needed: (address: string) => `${address} depends on it and was not created by this apply`,
}

export const nobodyAsked = 'an undo needs the actor who requested it; request it again'

export const undoOf = (description: string): string => `undo: ${description}`

export const againNote = (apply: string) =>
  uncoded(
    `the configuration still says what apply ${apply} has applied: the next check shows it as changes, and the next apply sends it again`,
    'change the configuration too, before or after the undo',
  )

export const notDoneNote = (apply: string, commands: readonly { readonly id: string; readonly isSent: boolean }[]) =>
  uncoded(
    `apply ${apply} has not done ${commands.map(({ id, isSent }) => `${id} (${isSent ? 'failed' : 'never sent'})`).join(', ')}`,
    'nothing of these is undone',
  )

export const stayNote = (address: string, paths: readonly string[]) =>
  uncoded(
    `${address} is not as the apply found it in what nobody declares: ${paths.join(', ')}`,
    'the undo leaves that as it is now; declare what it should be',
  )
