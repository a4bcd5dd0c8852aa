import type { AfterMark } from './value.ts'

/** The part of a URL that an earlier command produces: address and pointer. It becomes one percent-encoded segment. */
export const afterPlaceholder = /\{after:([^:{}]+):([^{}]*)\}/g

/** The mark as it stands in a URL. */
export const spellAfter = ({ $after, pointer }: AfterMark): string => `{after:${$after}:${pointer}}`
