import type { LeftOut, Selection } from '../../../engine/schema/stored/plan.ts'
import { foreign, type Prose } from '../characters/prose.ts'

/** What an approval of a part names beside its digest. A pattern is quoted, so that a shell passes it on. */
export const selectionFlags = ({ targets = [], exclude = [] }: Selection): string =>
  [
    ...targets.map((each) => ` --target ${shellWord(each)}`),
    ...exclude.map((each) => ` --exclude ${shellWord(each)}`),
  ].join('')

const shellWord = (text: string): string => (/^[\w.:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** Why a change is not part of the selection. */
export const leftOutWords = ({ why, on = '' }: LeftOut): Prose =>
  ({
    no_target: ['it is no target'],
    excluded: ['it is excluded'],
    waits: ['it waits for ', foreign(on), ', which is excluded'],
    blocked: ['it is blocked'],
  })[why]
