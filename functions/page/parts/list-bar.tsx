import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { putQuery } from '../data/use-place.ts'
import type { OpenedRows } from './window/use-open.ts'

/** Whether a text in small letters has each word of a search, in any order. */
export const hasWords = (text: string, search: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))

export interface SearchedList<Item> {
  readonly text: string
  readonly search: (text: string) => void
  readonly isFound: (item: Item) => boolean
  readonly opened: OpenedRows
  /** What a reader has said of all rows. */
  readonly isOpen: boolean | undefined
  readonly openAll: (isOpen: boolean) => void
  /** Another one is another list: its rows are drawn anew, and measured anew. */
  readonly key: string
}

/** A long list in which somebody searches, and whose rows are opened and closed together. Only the search is in the address. */
export const useSearch = <Item,>(
  all: readonly Item[],
  textOf: (item: Item) => string,
  first: string,
): SearchedList<Item> => {
  const [text, setText] = useState(first)
  const [told, setTold] = useState({ round: 0, isOpen: undefined as boolean | undefined })
  const opened = useMemo((): OpenedRows => new Map(), [told])
  // Texts of a long list are put together only when somebody searches.
  const texts = useMemo(
    () => (text === '' ? undefined : new Map(all.map((item) => [item, textOf(item).toLowerCase()]))),
    [all, text === ''],
  )
  return {
    text,
    search: (value) => {
      setText(value)
      putQuery('q', value)
    },
    isFound: (item) => texts === undefined || hasWords(texts.get(item) ?? '', text),
    opened,
    isOpen: told.isOpen,
    openAll: (isOpen) => setTold(({ round }) => ({ round: round + 1, isOpen })),
    key: `${told.round} ${text}`,
  }
}

interface ListBarProps {
  readonly list: Omit<SearchedList<never>, 'isFound'>
  /** What is searched: `the changes`. */
  readonly what: string
  readonly found: number
  readonly all: number
  readonly children?: ComponentChildren
}

export const ListBar = ({ list: { text, search, openAll }, what, found, all, children }: ListBarProps) => (
  <div class="bar">
    <input
      type="search"
      aria-label={`Search ${what}`}
      placeholder="Search"
      value={text}
      onInput={({ currentTarget: { value } }) => search(value)}
    />
    <button type="button" class="small" onClick={() => openAll(true)}>
      Open all
    </button>
    <button type="button" class="small" onClick={() => openAll(false)}>
      Close all
    </button>
    {children}
    <span class="dim" role="status">
      {found < all && `${found} of ${all} shown`}
    </span>
  </div>
)
