import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

/*
 * `npm run test:near [-- FILE...]`: the tests nearest to these files, or to what is not committed yet. Nearly every test reaches
 * nearly every file through the entry points, so that all related tests are all tests: the distance in imports decides.
 */

const root = join(import.meta.dirname, '..')
const most = 24

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

const { imports: aliases } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>
}

/** Files that a file imports, or names by a path of its own. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/'(#[a-z-]+|\.\.?\/[^']+)'/g)].map(([, path = '']) =>
    path.startsWith('#') ? normalize(aliases[path] ?? path) : normalize(join(dirname(file), path)),
  )

const importersOf = (): ReadonlyMap<string, readonly string[]> => {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard', 'core', 'functions', 'infra', 'test')
  const importers = new Map<string, string[]>()
  for (const file of files.filter((each) => each.endsWith('.ts') && existsSync(join(root, each))))
    for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file])
  return importers
}

/** Test files by their distance, the nearest first. */
const nearest = (changed: readonly string[]): readonly string[] => {
  const importers = importersOf()
  const seen = new Set(changed)
  for (const file of seen) for (const importer of importers.get(file) ?? []) seen.add(importer)
  return [...seen]
    .filter((file) => file.endsWith('.test.ts') && !/^test\/(targets|deploy|page)\//.test(file))
    .slice(0, most)
}

const given = process.argv.slice(2).map((file) => relative(root, join(process.cwd(), file)))
const changed =
  given.length > 0
    ? given
    : git('diff', '--name-only', 'HEAD').concat(git('ls-files', '--others', '--exclude-standard'))
const tests = nearest(changed)
if (tests.length === 0) process.stdout.write('no test imports what has changed\n')
else {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', '.config/vitest.config.ts', ...tests], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
