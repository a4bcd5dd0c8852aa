import type { Json } from '../schema/json.ts'

/** Of ECMAScript's JSON, which TypeScript's library does not know yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): Json }

/** A number that is sent as its source wrote it. Only for bodies on their way out: it is no value to look into. */
export const exactNumber = (text: string): Json => rawJSON(text)
