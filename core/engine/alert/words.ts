import type { Action } from '../schema/stored/plan.ts'

export const existence: Readonly<Partial<Record<Action, string>>> = {
  create: 'was not found',
  delete: 'should not exist',
}

export const orphaned = 'left the configuration and still exists'

/** A path that waits to be applied, among others that moved outside. */
export const inFiles = (path: string): string => `${path} (in the files)`
