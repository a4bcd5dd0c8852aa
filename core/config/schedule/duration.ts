const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

export const durationPattern = /^([1-9]\d{0,5})([smhdw])$/

/** Milliseconds of `90s`, `30m`, `60h`, `7d` or `2w`; a day is 24 hours. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit] = durationPattern.exec(text) ?? []
  return unit === undefined ? undefined : Number(count) * unitMs[unit as keyof typeof unitMs]
}
