import type { Workspace } from '../../../core/index.ts'

type StripDays = NonNullable<Workspace['days']>

/** A day has the worst status of its checks, which does not tell drift from other changes. */
const words = { in_sync: 'in sync', changes: 'with changes', incomplete: 'unchecked', failed: 'failed' } as const
const tones = { in_sync: 'in_sync', changes: 'changes', incomplete: 'unchecked', failed: 'failed' } as const
const dayMs = 86_400_000
const shownDays = 30

/** The days that end today, whenever the last check was. */
const upToToday = ({ until, worst }: StripDays, now: number): StripDays['worst'] => {
  const today = Math.floor(now / dayMs)
  const gone = Math.max(0, Math.min(shownDays, today - Math.floor(Date.parse(until) / dayMs)))
  return [...worst, ...Array<null>(gone).fill(null)].slice(-shownDays)
}

const summary = (worst: StripDays['worst']): string => {
  const counted = Object.entries(words).map(([status, word]) => {
    const n = worst.filter((day) => day === status).length
    return n === 0 ? '' : `${n} ${word}`
  })
  return `last 30 days: ${counted.filter((part) => part !== '').join(', ') || 'no check'}`
}

/** The worst of each of the last 30 days, the oldest first. */
export const Strip = ({ days, now }: { readonly days: StripDays | undefined; readonly now: number }) => {
  const worst = days === undefined ? [] : upToToday(days, now)
  const label = summary(worst)
  return (
    <svg class="strip" viewBox="0 0 120 16" preserveAspectRatio="none" role="img" aria-label={label}>
      <title>{label}</title>
      {Array.from({ length: shownDays }, (_, n) => {
        const status = worst[worst.length - shownDays + n]
        const tall = status === 'in_sync' ? 6 : 14
        return status == null ? (
          <rect key={n} class="none" x={n * 4} y="13" width="3" height="1" />
        ) : (
          <rect key={n} class={tones[status]} x={n * 4} y={15 - tall} width="3" height={tall} />
        )
      })}
    </svg>
  )
}
