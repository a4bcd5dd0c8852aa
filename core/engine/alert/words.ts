import type { Action } from '../schema/stored/plan.ts'

/** What a finding says of an object as a whole. */
export const existence: Readonly<Partial<Record<Action, string>>> = {
  create: 'does not exist',
  delete: 'should not exist',
}

/** What a finding says of an orphan that is only reported. */
export const orphaned = 'left the configuration and still exists'
