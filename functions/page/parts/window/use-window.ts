import type { RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { drawnRows, topmostRow } from './drawn-rows.ts'
import { type RowRange, rowsWithin, type ShownRow, shownRows } from './shown-rows.ts'

interface WindowRow<Item> extends ShownRow {
  readonly item: Item
  readonly key: string
}

export interface WindowOf<Item> {
  /** Of the element whose children are the rows. */
  readonly list: RefObject<never>
  readonly rows: readonly WindowRow<Item>[]
  readonly count: number
}

/** Drawn above and below of what is seen, in pixels, so that the next row is there when a key or a wheel comes to it. */
const around = 500
/** As long as no height is known. */
const firstRange: RowRange = { from: 0, to: 30 }

/** What of a list was where: the first row that is seen, in pixels from the top of the document. */
interface FirstSeen {
  readonly key: string
  readonly top: number
}

/**
 * The rows of a long list that are near to what is seen, and the room of all others. A row is drawn with `itemProps` of
 * row-props.ts. What has the focus stays, and what is seen stays where it is while rows come, go or change above it.
 */
export const useWindow = <Item>(
  items: readonly Item[],
  keyOf: (item: Item, n: number) => string,
  typical: number,
): WindowOf<Item> => {
  const list = useRef<HTMLElement>(null)
  const heights = useRef({ width: 0, typical, of: new Map<string, number>() })
  const anchor = useRef<FirstSeen | undefined>(undefined)
  const [focused, setFocused] = useState<string>()
  const [range, setRange] = useState(firstRange)
  const keys = useMemo(() => items.map(keyOf), [items])
  const heightOf = (n: number): number => heights.current.of.get(keys[n] ?? '') ?? heights.current.typical
  const look = useRef(() => {})
  look.current = () => {
    const element = list.current
    // What is folded has no height.
    if (element === null || items.length === 0 || element.getClientRects().length === 0) return
    measure(element, heights.current)
    keepPlace(element, anchor.current)
    const { top } = element.getBoundingClientRect()
    const near = (px: number) => rowsWithin(items.length, heightOf, -top - px, innerHeight - top + px)
    const [needed, whole] = [near(around / 2), near(around)]
    setRange((now) => (now.from <= needed.from && now.to >= needed.to && now.from < items.length ? now : whole))
    anchor.current = topmostRow(element)
  }
  useLayoutEffect(() => look.current())
  useEffect(() => watch(list.current, () => look.current(), setFocused), [items.length === 0])
  const place = focused === undefined ? -1 : keys.indexOf(focused)
  // A key goes on to the row before or behind.
  const besides = place === -1 ? [] : [place - 1, place, place + 1]
  const from = Math.min(range.from, Math.max(0, items.length - 1))
  const to = Math.max(range.to, from + 1)
  const rows = shownRows(items.length, heightOf, { from, to }, besides)
  const found = useCallback(
    (row: ShownRow) => ({ ...row, item: items[row.n] as Item, key: keys[row.n] ?? '' }),
    [items],
  )
  return { list: list as never, rows: rows.map(found), count: items.length }
}

interface Heights {
  width: number
  typical: number
  readonly of: Map<string, number>
}

/** Rows of another width have other heights. Until it is drawn, a row counts as high as the first ones are. */
const measure = (element: HTMLElement, heights: Heights): void => {
  const width = element.clientWidth
  if (width !== heights.width) heights.of.clear()
  const isFirst = heights.of.size === 0
  const drawn = drawnRows(element)
  for (const { key, height } of drawn) heights.of.set(key, height)
  if (isFirst && drawn.length > 0)
    heights.typical = Math.max(1, drawn.reduce((sum, { height }) => sum + height, 0) / drawn.length)
  heights.width = width
}

/** Rows above may have come, gone, or be higher than they were thought to be. */
const keepPlace = (element: HTMLElement, anchor: FirstSeen | undefined): void => {
  const now = anchor && drawnRows(element).find(({ key }) => key === anchor.key)
  if (now !== undefined && anchor !== undefined && Math.abs(now.top - anchor.top) >= 1)
    scrollBy({ top: now.top - anchor.top, behavior: 'instant' })
}

/** Looks again when somebody scrolls, and when the list or the view has another size. */
const watch = (
  element: HTMLElement | null,
  look: () => void,
  setFocused: (key: string | undefined) => void,
): (() => void) | undefined => {
  if (element === null) return undefined
  const control = new AbortController()
  const { signal } = control
  const size = new ResizeObserver(look)
  // What is above the list moves it, and the whole page is another size then.
  for (const each of [element, document.body]) size.observe(each)
  addEventListener('scroll', look, { passive: true, signal })
  addEventListener('resize', look, { signal })
  element.addEventListener(
    'focusin',
    ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
      setFocused(row?.dataset['row'])
    },
    { signal },
  )
  element.addEventListener(
    'focusout',
    // Before the next row has the focus it must not go away; and where nothing has it, it comes back to where it was.
    ({ relatedTarget: next }) => next instanceof Node && !element.contains(next) && setFocused(undefined),
    { signal },
  )
  return () => {
    control.abort()
    size.disconnect()
  }
}
