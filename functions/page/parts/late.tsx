import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ProblemNote } from './states.tsx'

type LateView<Props> = { readonly view: ComponentType<Props> } | { readonly failed: true }

/** A view whose code is loaded when it is first shown, so that the first view is there at once. */
export const late = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> => {
  let known: ComponentType<Props> | undefined
  return (props: Props) => {
    const [loaded, setLoaded] = useState<LateView<Props> | undefined>(known && { view: known })
    const read = () =>
      load()
        .then((view) => {
          known = view
          setLoaded({ view })
        })
        // A newer deployment has no files of an older page.
        .catch(() => setLoaded({ failed: true }))
    useEffect(() => {
      if (known === undefined) void read()
    }, [])
    if (loaded === undefined) return <p class="empty">…</p>
    if ('view' in loaded) {
      const Found = loaded.view
      return <Found {...props} />
    }
    const problem = {
      status: 0,
      code: 'PAGE_OUTDATED',
      detail: 'a part of this page cannot be loaded',
      hint: 'reload the page: a newer one may be there',
    }
    return <ProblemNote problem={problem} retry={() => location.reload()} />
  }
}
