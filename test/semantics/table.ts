/** What became of a rule of another tool: kept as it is there, kept without its defects, or left out on purpose. */
export const verdicts = ['taken over', 'repaired', 'refused'] as const
type Verdict = (typeof verdicts)[number]

/** One rule, in a sentence for each side. */
export type Row = readonly [verdict: Verdict, theirs: string, ours: string]

/** The rules of one section by their names. */
export interface Table<Name extends string = string> {
  readonly id: string
  readonly about: string
  readonly rows: Readonly<Record<Name, Row>>
}

/** Keeps the names of the rows, so that a proof without a row does not compile. */
export const aTable = <Name extends string>(table: Table<Name>): Table<Name> => table

/** The name of the row's test. */
export const testName = ({ id }: Table, name: string, [verdict]: Row): string => `${id} ${name} (${verdict})`
