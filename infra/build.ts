import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bundlePackage, root } from './bundle.ts'

const dist = join(root, 'dist')
const started = performance.now()
await rm(dist, { recursive: true, force: true })
const bytes = await bundlePackage(dist)
const seconds = ((performance.now() - started) / 1000).toFixed(1)
process.stdout.write(
  `dist: the plumbline command, the web page and the suite for providers, ${Math.round(bytes / 1024)} KiB in ${seconds} s\n`,
)
