import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser'

/** Builds the result from each value; `at` is the offset of the value in the text. */
export interface JsonMaker<Out> {
  readonly scalar: (value: null | boolean | string, at: number) => Out
  /** `source` is the number as the text spells it. */
  readonly number: (source: string, at: number) => Out
  readonly list: (elements: readonly Out[], at: number) => Out
  readonly object: (members: readonly JsonMember<Out>[], at: number) => Out
}

interface JsonMember<Out> {
  readonly key: string
  readonly keyAt: number
  readonly value: Out
}

export interface JsonRules {
  /** Deeper nesting is an error, because later steps walk the result recursively. */
  readonly maxDepth: number
  /** Allows comments and trailing commas. */
  readonly comments?: boolean
  /** Ignores everything after the first value. */
  readonly startOnly?: boolean
}

interface JsonMistake {
  readonly at: number
  /** An error code of jsonc-parser or of this module. */
  readonly kind: string
}

type ReadJson<Out> = { readonly value: Out } | { readonly mistakes: readonly JsonMistake[] }

interface OpenContainer<Out> {
  readonly at: number
  readonly elements: Out[]
  readonly members: JsonMember<Out>[]
  /** The member whose value comes next. */
  key: string
  keyAt: number
}

/** Reads JSON with the position of each value. The result has a value or mistakes; an empty text has neither. */
export const readJson = <Out>(text: string, make: JsonMaker<Out>, rules: JsonRules): ReadJson<Out> => {
  const { comments = false, startOnly = false, maxDepth } = rules
  const mistakes: JsonMistake[] = []
  const frames: OpenContainer<Out>[] = []
  const found: Out[] = []
  const put = (value: Out): void => {
    const frame = frames.at(-1)
    if (frame === undefined) found.push(value)
    else if (frame.keyAt < 0) frame.elements.push(value)
    else frame.members.push({ key: frame.key, keyAt: frame.keyAt, value })
  }
  const open = (at: number): boolean => {
    if (frames.length > maxDepth) mistakes.push({ at, kind: 'TooDeep' })
    frames.push({ at, elements: [], members: [], key: '', keyAt: -1 })
    return frames.length <= maxDepth + 1
  }
  const visitor: JSONVisitor = {
    onObjectBegin: open,
    onArrayBegin: open,
    onObjectProperty: (key, keyAt) => {
      const frame = frames.at(-1)
      if (frame === undefined) return
      frame.key = key
      frame.keyAt = keyAt
    },
    onLiteralValue: (value, at, length) =>
      put(typeof value === 'number' ? make.number(text.slice(at, at + length), at) : make.scalar(value, at)),
    onObjectEnd: () => {
      const frame = frames.pop()
      if (frame !== undefined) put(make.object(frame.members, frame.at))
    },
    onArrayEnd: () => {
      const frame = frames.pop()
      if (frame !== undefined) put(make.list(frame.elements, frame.at))
    },
    onError: (error, at) => {
      const kind = printParseErrorCode(error)
      // When the parser reports an unclosed container, the container already counts as ended.
      if (!startOnly || found.length === 0 || kind.startsWith('Close')) mistakes.push({ at, kind })
    },
  }
  try {
    visit(text, visitor, { disallowComments: !comments, allowTrailingComma: comments, allowEmptyContent: true })
  } catch (error) {
    // The parser is recursive: far beyond the depth that was already reported, the stack overflows.
    if (!(error instanceof RangeError) || mistakes.length === 0) throw error
  }
  const [value] = found
  return value === undefined || mistakes.length > 0 ? { mistakes } : { value }
}
