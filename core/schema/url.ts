import type { JsonObject } from './json.ts'
import type { AfterMark } from './value.ts'

/** Parts in their order: texts, and what an earlier command produces, which is percent-encoded once it is known. */
export type UrlPart = string | (JsonObject & AfterMark)
export type UrlParts = readonly UrlPart[]

/** An absolute URL. A text is the whole of it and means itself: nothing that stands in it is syntax of ours. */
export type Url = string | UrlParts
