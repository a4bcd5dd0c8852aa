import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => `${folder}/${name}`)

/** What goes with the folder: `rm -r core/pages/tofu test/pages/tofu functions/cli/commands/render.ts`. */
const wing = /^(core|test)\/tofu\/|^functions\/cli\/commands\/render\.ts$/

/** The paths of the wing, its entry point, and its command. */
const names = /\b(core|test)\/tofu\/|\/tofu\/|#tofu|\brenderCommand\b/

test('no other file names the wing but in lines that can be deleted with it, and each rule of the law', () => {
  const outside = ['core', 'functions', 'infra', 'test', '.config'].flatMap(filesIn).filter((file) => !wing.test(file))
  const lines = [...outside, 'package.json'].flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => names.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(lines).toEqual([
    "functions/cli/commands/index.ts: import { renderCommand } from './render.ts'",
    'functions/cli/commands/index.ts: renderCommand,',
    expect.stringContaining("test/architecture.test.ts: ['tofu-imports-no-plan', 'core/pages/tofu/planted.ts'"),
    // Rules without a folder hold: these may stay.
    ".config/dependency-cruiser.mjs: '^core/pages/tofu/',",
    expect.stringContaining('.config/dependency-cruiser.mjs: '),
    'package.json: "#tofu": "./core/tofu/index.ts",',
    'package.json: "bench:render": "node test/pages/tofu/bench/render.ts",',
    'package.json: "fuzz:render": "node test/pages/tofu/bench/render-fuzz.ts",',
    'package.json: "test/pages/tofu/bench/render-case.ts",',
  ])
})

/** Each room knows those before it only; the products' own pages share no word, width or colour with ours. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  view: ['view', 'read', 'diff'],
  compat: ['compat', 'read'],
  report: ['report', 'view', 'read', 'render'],
}

test.each(Object.keys(rooms))('%s imports no room beyond those below it', (room) => {
  const allowed = [...(rooms[room] ?? []), 'schema', 'values', 'json', 'errors']
  const strays = filesIn(`core/pages/tofu/${room}`).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].flatMap(([, path = '']) => {
      const target = join(file, '../..', path)
      const to = target.replace(/^core\/(tofu\/)?/, '').split(/[/.]/)[0] ?? ''
      return allowed.includes(to) ? [] : [`${file} -> ${target}`]
    }),
  )
  expect(strays).toEqual([])
})
