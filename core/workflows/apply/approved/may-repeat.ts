import { type Command, isIdempotent } from '../../../schema/command.ts'

/**
 * Whether a command that may have been done may be sent again where its object looks as if it was not. Reading cannot prove
 * that: what a target accepted may show only when it is done, or never under this name. So it must be one that does the same
 * twice as once: by its method, or because it sets attributes to values. A create, a call or a new element is none.
 */
export const mayRepeat = ({ action, request, footprint }: Command): boolean =>
  isIdempotent(request) || (action === 'update' && footprint?.elements === undefined)
