#!/usr/bin/env node
/*
 * The start of the command. Nothing is imported before the version of Node is known: an older Node would end with the
 * message of a missing feature. `--version` needs nothing more than these lines.
 */

import module from 'node:module'
import { readVersion } from './process/package-root.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [first, ...more] = process.argv.slice(2)

if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`error: plumbline needs Node 22.13 or newer, this is ${process.versions.node}\n`)
  process.exitCode = 1
} else if (more.length === 0 && (first === '--version' || first === '-V')) {
  process.stdout.write(`${readVersion()}\n`)
} else {
  // Compiled code is cached between calls, because compiling takes most of the time of a short call.
  module.enableCompileCache()
  const { start } = await import('./start.ts')
  await start()
}
