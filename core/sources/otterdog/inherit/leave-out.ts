/** When a part of the file does not count, and which of its fields. */
export interface Exclusion<Part, Around> {
  readonly when: (part: Part, around: Around) => boolean
  readonly fields: readonly (keyof Part & string)[]
}

/** The part without the fields that do not count: as if they were not written. */
export const withoutExcluded = <Part extends object, Around>(
  part: Part,
  around: Around,
  table: readonly Exclusion<Part, Around>[],
): Part => {
  const excluded = new Set(table.flatMap(({ when, fields }) => (when(part, around) ? fields : [])))
  if (excluded.size === 0) return part
  return Object.fromEntries(Object.entries(part).filter(([name]) => !excluded.has(name as never))) as Part
}
