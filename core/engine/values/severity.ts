import type { Severity } from '../schema/rules.ts'

const ranks: Readonly<Record<Severity, number>> = { low: 0, medium: 1, high: 2 }

export const atLeast = (severity: Severity, least: Severity): boolean => ranks[severity] >= ranks[least]

/** A finding that was stored without a severity counts as `medium`; `low` if there is no finding. */
export const highest = (findings: readonly { readonly severity?: Severity }[]): Severity =>
  findings.reduce<Severity>((most, { severity = 'medium' }) => (atLeast(severity, most) ? severity : most), 'low')
