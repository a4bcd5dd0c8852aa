import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleHandlers, bundlePackage, mapsIn, root } from './bundle.ts'

const dist = join(root, 'dist')
const started = performance.now()
await rm(dist, { recursive: true, force: true })
const bytes = await bundlePackage(dist)
const functions = join(dist, 'functions')
const sizes = await bundleHandlers(functions)
// The repository makes them anew for whoever reads a frame of a log.
await rm(mapsIn(functions), { recursive: true })
const ofFunctions = [...sizes.values()].reduce((sum, { all }) => sum + all, 0)
const kib = (size: number): string => `${Math.round(size / 1024)} KiB`
const seconds = ((performance.now() - started) / 1000).toFixed(1)
process.stdout.write(
  `dist: the plumbline command, the library, the web page, the suite for providers and the construct, ${kib(bytes)}; the functions, ${kib(ofFunctions)}; in ${seconds} s\n`,
)
