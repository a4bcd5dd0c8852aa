import { useEffect, useMemo, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Apply, Run } from '../../../../core/index.ts'
import { axisWords, dayTimeWords } from '../../data/times.ts'
import { type Amount, type Series, seriesOf } from './series.ts'

const height = 220

const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name)

/** A colour with `light-dark()` is resolved where it is used as one. */
const resolved = (name: string): string => {
  const probe = document.createElement('span')
  probe.style.color = colourOf(name)
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const optionsFor = (width: number): uPlot.Options => {
  const [text, line] = [resolved('--dim'), resolved('--line')]
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  const steps = uPlot.paths.stepped?.({ align: 1 })
  return {
    width,
    height,
    // A repair is between two checks.
    scales: { y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] } },
    axes: [
      { ...axis, values: (_, splits, __, ___, step) => splits.map((at) => axisWords(at * 1_000, step * 1_000)) },
      { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000], size: 44 },
    ],
    series: [
      { value: (_, at) => (at === null ? '' : dayTimeWords(at * 1_000)) },
      {
        label: 'differ',
        stroke: resolved('--warn'),
        width: 2,
        ...(steps && { paths: steps }),
        points: { show: false },
      },
      {
        label: 'unchecked',
        stroke: resolved('--odd'),
        width: 2,
        dash: [6, 4],
        ...(steps && { paths: steps }),
        points: { show: false },
      },
      {
        label: 'applied',
        stroke: resolved('--good'),
        paths: () => null,
        points: { show: true, size: 9, fill: resolved('--good') },
      },
      {
        label: 'undone',
        stroke: resolved('--bad'),
        paths: () => null,
        points: { show: true, size: 9, fill: resolved('--raised') },
      },
    ],
  }
}

const dataOf = ({ times, differ, unchecked, repaired, undone }: Series): uPlot.AlignedData => [
  times,
  differ,
  unchecked,
  repaired,
  undone,
]

const summary = ({ differ, unchecked, repaired, undone }: Series): string => {
  const most = (values: readonly Amount[]) => values.reduce<number>((max, value) => Math.max(max, value ?? 0), 0)
  const sum = (values: readonly Amount[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
  return `30 days: most that differed at once: ${most(differ)}; most that were unchecked: ${most(unchecked)}; changed by applies: ${sum(repaired)}; undone: ${sum(undone)}. The tables below have each check and each apply.`
}

/** Drift and repairs over time. The tables beside it say the same to those who do not see it. */
export const Plot = ({ runs, applies }: { readonly runs: readonly Run[]; readonly applies: readonly Apply[] }) => {
  const place = useRef<HTMLDivElement>(null)
  const series = useMemo(() => seriesOf(runs, applies), [runs, applies])
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const dark = matchMedia('(prefers-color-scheme: dark)')
    let plot = new uPlot(optionsFor(element.clientWidth), dataOf(series), element)
    const draw = () => {
      plot.destroy()
      plot = new uPlot(optionsFor(element.clientWidth), dataOf(series), element)
    }
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    dark.addEventListener('change', draw)
    return () => {
      resize.disconnect()
      dark.removeEventListener('change', draw)
      plot.destroy()
    }
  }, [series])
  return (
    <figure class="plot" aria-label={summary(series)}>
      <div ref={place} aria-hidden="true" />
      <figcaption class="hidden">{summary(series)}</figcaption>
    </figure>
  )
}
