import { agoWords, clockWords, dayTimeWords, exactWords, secondWords } from '../data/times.ts'
import { useNow } from '../data/use-now.ts'

const forms = { ago: agoWords, day: dayTimeWords, second: secondWords, clock: clockWords }

interface TimeProps {
  /** ISO 8601. */
  readonly at: string
  /** `ago` counts from now, `day` says the day and the time, `second` that to the second, `clock` the time to the second. */
  readonly form?: keyof typeof forms
}

/** A text of a plan, whose times are in UTC: they are shown in the reader's zone, and the text itself on hover. */
export const Dated = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC)/).map((part, n) => {
      const at = n % 2 === 0 ? Number.NaN : Date.parse(part)
      return Number.isNaN(at) ? (
        part
      ) : (
        <time key={n} dateTime={new Date(at).toISOString()} title={`${exactWords(at)}\n${part}`}>
          {dayTimeWords(at)}
        </time>
      )
    })}
  </>
)

/** A time in the reader's zone; the exact one on hover. */
export const Time = ({ at, form = 'ago' }: TimeProps) => {
  // What has just happened is not in the future.
  const now = Math.max(useNow(), Date.now())
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) return <span>{at}</span>
  return (
    <time dateTime={at} title={`${exactWords(ms)}\n${at}`}>
      {forms[form](ms, now)}
    </time>
  )
}
