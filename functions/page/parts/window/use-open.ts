import { useState } from 'preact/hooks'

/** Which rows of a list somebody has opened or closed: a row that is drawn again is as it was. */
export type OpenedRows = Map<string, boolean>

export const useOpen = (
  opened: OpenedRows,
  key: string,
  isOpen: boolean,
): readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] => {
  const [open, setOpen] = useState(opened.get(key) ?? isOpen)
  return [
    open,
    (next) => {
      // A row that is drawn open tells so too, and nobody has opened it.
      if (next === open) return
      opened.set(key, next)
      setOpen(next)
    },
  ]
}
