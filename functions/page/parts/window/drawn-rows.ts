interface DrawnRow {
  readonly key: string
  readonly height: number
  /** In pixels from the top of the document. */
  readonly top: number
}

export const drawnRows = (list: HTMLElement): readonly DrawnRow[] =>
  [...list.children].flatMap((row) => {
    if (!(row instanceof HTMLElement) || row.dataset['row'] === undefined) return []
    const { top, height } = row.getBoundingClientRect()
    return [{ key: row.dataset['row'], height, top: top + scrollY }]
  })

/** The first row that is seen; `undefined` where the beginning of the list is seen, so that what comes before it is seen too. */
export const topmostRow = (list: HTMLElement): DrawnRow | undefined =>
  list.getBoundingClientRect().top >= 0
    ? undefined
    : drawnRows(list).find(({ top, height }) => top + height > scrollY && top < scrollY + innerHeight)
