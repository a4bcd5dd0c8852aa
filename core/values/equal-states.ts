import type { Json } from '../schema/json.ts'

/** Whether a state is one of those that are named: types of one API spell their states in different case. */
export const holdsState = (states: readonly Json[], state: Json): boolean =>
  states.some((each) => each === state || (isText(each) && isText(state) && each.toLowerCase() === state.toLowerCase()))

const isText = (value: Json): value is string => typeof value === 'string'
