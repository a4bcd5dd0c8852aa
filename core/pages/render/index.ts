import type { ResourceGraph } from '../../engine/schema/stored/graph.ts'
import type { Plan } from '../../engine/schema/stored/plan.ts'
import { defined } from '../../engine/values/defined.ts'
import type { GraphFormat } from './plain/render-graph.ts'
import type { RenderOptions, Report } from './report/report.ts'
import type { FailedCheck } from './report/report-of-failure.ts'

/** Writes a report, or a plan where the format needs more of it than a report has. Pure; never fails. */
type Renderer =
  | { readonly ofReport: (report: Report, options: RenderOptions) => string }
  /** One document of any number of reports; with `each`, of reports in which each resource has a block of its own. */
  | { readonly ofReports: (reports: readonly Report[]) => string; readonly each?: true }
  | { readonly ofPlan: (plan: Plan, options: RenderOptions) => string }

interface Format {
  /** What the API answers with where `Accept` prefers it. Each format has one of its own. */
  readonly mediaType: string
  /** For the description of the API. */
  readonly purpose: string
  /** One document tells of any number of checks, and of those without a plan. */
  readonly forPipelines?: true
  /** Loaded when it is needed, so that a cold start does not pay for it. */
  readonly load: () => Promise<Renderer>
}

/** The formats of a plan, by name. The choices of `--format`, the media types of the API and its description follow from them. */
export const planFormats = {
  text: {
    mediaType: 'text/plain',
    purpose: 'For a terminal or a mail.',
    load: async () => ({ ofReport: (await import('./formats/text/render-text.ts')).renderText }),
  },
  markdown: {
    mediaType: 'text/markdown',
    purpose: 'For a ticket or a review.',
    forPipelines: true,
    load: async () => ({ ofReports: (await import('./formats/markdown/render-markdown.ts')).renderMarkdown }),
  },
  html: {
    mediaType: 'text/html',
    purpose: 'For a browser or a mail: one document that needs nothing but itself.',
    load: async () => ({ ofReport: (await import('./formats/html/render-html.ts')).renderHtml }),
  },
  json: {
    mediaType: 'application/json',
    purpose: "OpenTofu's plan format, with our own members beside it.",
    load: async () => ({ ofPlan: (await import('./formats/json/render-json.ts')).renderJson }),
  },
  summary: {
    mediaType: 'text/vnd.plumbline.summary',
    purpose: 'One line for each resource.',
    load: async () => ({ ofReport: (await import('./formats/text/render-summary.ts')).renderSummary }),
  },
  junit: {
    mediaType: 'application/vnd.plumbline.junit+xml',
    purpose: "JUnit's XML: a test case for each resource that differs or could not be checked.",
    forPipelines: true,
    load: async () => ({ ofReports: (await import('./formats/ci/render-junit.ts')).renderJunit, each: true }),
  },
  sarif: {
    mediaType: 'application/sarif+json',
    purpose: 'SARIF 2.1.0, for code scanning.',
    forPipelines: true,
    load: async () => ({ ofReports: (await import('./formats/ci/render-sarif.ts')).renderSarif, each: true }),
  },
  github: {
    mediaType: 'text/vnd.plumbline.github-annotations',
    purpose: 'Annotations for a log of GitHub Actions, and one line for each resource.',
    forPipelines: true,
    load: async () => ({
      ofReports: (await import('./formats/ci/render-annotations.ts')).renderAnnotations,
      each: true,
    }),
  },
} as const satisfies Readonly<Record<string, Format>>

export type PlanFormat = keyof typeof planFormats

export const formatNames = Object.keys(planFormats) as readonly PlanFormat[]

export const isForPipelines = (format: PlanFormat): boolean => 'forPipelines' in planFormats[format]

/** The format of a media type, where it has one. */
export const formatOf = (mediaType: string): PlanFormat | undefined =>
  formatNames.find((name) => planFormats[name].mediaType === mediaType)

/** A graph for a program that draws it. Loaded when it is needed too. */
export const renderGraph = async (graph: ResourceGraph, format: GraphFormat): Promise<string> =>
  (await import('./plain/render-graph.ts')).renderGraph(graph, format)

export const isOfEach = (renderer: Renderer): boolean => 'each' in renderer

/** A report by itself. Where it is one of several, `ofReports` gets them all. */
export const writeReport = (
  renderer: Exclude<Renderer, { readonly ofPlan: unknown }>,
  report: Report,
  options: RenderOptions,
): string => ('ofReport' in renderer ? renderer.ofReport(report, options) : renderer.ofReports([report]))

/** A plan of ours in a format. Never fails, whatever the plan holds. */
export const renderPlan = async (
  plan: Plan,
  { format, ...options }: RenderOptions & { readonly format: PlanFormat },
): Promise<string> => {
  const renderer = await planFormats[format].load()
  if ('ofPlan' in renderer) return renderer.ofPlan(plan, options)
  const { reportOfPlan } = await import('./report/report-of-plan.ts')
  const { reportFrom } = await import('./report/report-from.ts')
  return writeReport(
    renderer,
    reportFrom(reportOfPlan(plan, { ...options, each: isOfEach(renderer) }), options.folder),
    options,
  )
}

/** A check on a page of several: with its plan, or with why there is none. */
export interface CheckToRender extends Pick<RenderOptions, 'at' | 'folder'> {
  readonly workspace: string
  readonly found: { readonly plan: Plan } | Pick<FailedCheck, 'error' | 'issues'>
}

/** Several checks: in one document where the format has one for them, else one page after the other. */
export const renderChecks = async (
  checks: readonly CheckToRender[],
  { format, ...options }: Omit<RenderOptions, 'at' | 'folder'> & { readonly format: Exclude<PlanFormat, 'json'> },
): Promise<string> => {
  const renderer = await planFormats[format].load()
  const { reportOfPlan } = await import('./report/report-of-plan.ts')
  const { reportFrom } = await import('./report/report-from.ts')
  const { reportOfFailure } = await import('./report/report-of-failure.ts')
  const each = isOfEach(renderer)
  const reports = checks.map(({ workspace, folder, at, found }): Report => {
    const given = defined({ at })
    const report =
      'plan' in found
        ? reportOfPlan(found.plan, { ...given, each })
        : reportOfFailure({ title: workspace, ...found, ...given })
    return reportFrom(report, folder)
  })
  if ('ofReports' in renderer) return renderer.ofReports(reports)
  return reports.map((report) => renderer.ofReport(report, options)).join('\n')
}
