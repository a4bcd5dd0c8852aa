import { readdir, readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { mapsIn, root } from './bundle.ts'

/*
 * Makes the frames of a log readable: `npm run frames < log`. The bundles have short names and long lines; their maps are
 * written beside them by each synthesis, and are those of a deployment if they come from the same commit.
 */

/** `/var/task/chunks/core-ABC.mjs:22:76837`, with whatever stands before it. */
const frame = /[\w./:-]*?([\w-]+\.mjs):(\d+):(\d+)/g

const loadMaps = async (
  folder: string,
): Promise<ReadonlyMap<string, { readonly map: SourceMap; readonly from: string }>> => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.mjs.map'))
  const loaded = files.map(async (file) => {
    const map = new SourceMap(JSON.parse(await readFile(join(folder, file), 'utf8')))
    return [basename(file, '.map'), { map, from: dirname(join(root, 'dist', 'functions', file)) }] as const
  })
  return new Map(await Promise.all(loaded))
}

/** Replaces each place in a bundle by the one in the sources; what is in no map stays. */
export const readFrames = async (log: string, bundles: string): Promise<string> => {
  const maps = await loadMaps(mapsIn(bundles))
  return log.replaceAll(frame, (whole, file: string, line: string, column: string) => {
    const found = maps.get(file)
    const origin = found?.map.findOrigin(Number(line), Number(column))
    if (found === undefined || origin === undefined || !('fileName' in origin)) return whole
    const source = relative(root, resolve(found.from, origin.fileName))
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

if (import.meta.main) process.stdout.write(await readFrames(await text(process.stdin), join(root, 'dist', 'functions')))
