import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'

/**
 * An element for each item, made anew only where its `state` is another one: an element that is made once is drawn once, so more
 * items do not draw the former ones again.
 */
export const useViews = <Item extends object>(
  items: readonly Item[],
  stateOf: (item: Item) => string,
  draw: (item: Item) => VNode,
): readonly VNode[] => {
  const made = useRef(new WeakMap<Item, { readonly state: string; readonly view: VNode }>())
  return items.map((item) => {
    const state = stateOf(item)
    const former = made.current.get(item)
    if (former?.state === state) return former.view
    const view = draw(item)
    made.current.set(item, { state, view })
    return view
  })
}
