import { createReadStream } from 'node:fs'
import { buildTofuReport } from '../../../../core/pages/tofu/compat/build-report.ts'
import { renderTofuReport } from '../../../../core/pages/tofu/compat/render/render-report.ts'
import { loadTofuDocument } from '../../../../core/pages/tofu/read/load-document.ts'
import { loadTofuSchemas } from '../../../../core/pages/tofu/read/load-schemas.ts'
import { buildView } from '../../../../core/pages/tofu/view/build-view.ts'
import { renderView } from '../builders/rendered.ts'

/** One page in a process of its own: `[plan] [schemas] [style]`. */
const [plan = '', schemas = '', style] = process.argv.slice(2)

const open = (name: string) => ({ name, chunks: createReadStream(name, { highWaterMark: 1 << 18 }) })

const before = process.cpuUsage()
const started = performance.now()
const document = await loadTofuDocument(open(plan))
const known = await loadTofuSchemas(open(schemas), document)
const read = performance.now()
const page =
  style === 'opentofu' || style === 'terraform'
    ? renderTofuReport(buildTofuReport(document, { schemas: known, compat: style }), { compat: style })
    : renderView(buildView(document, { schemas: known }), { format: 'text', title: 'plan', width: 120 })
const ended = performance.now()
const used = process.cpuUsage(before)

process.stdout.write(
  JSON.stringify({
    read: read - started,
    all: ended - started,
    cpu: (used.user + used.system) / 1000,
    peak: process.resourceUsage().maxRSS / 1024,
    page: page.length,
  }),
)
