#!/usr/bin/env node
/*
 * The command. Nothing is imported before the version is known: an older Node would end with the message of a missing
 * feature.
 */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 13)) {
  const { start } = await import('./start.ts')
  await start()
} else {
  process.stderr.write(`error: plumbline needs Node 22.13 or newer, this is ${process.versions.node}\n`)
  process.exitCode = 1
}
