import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { propertiesOf, type Schema, schemaOfFormat } from './schema-paths.ts'

/*
 * `npm run otterdog:drift [VERSION]`: the properties that the schemas of the newest Otterdog of PyPI have and the format that
 * is known here lacks, and the other way round. Ends with 1 where something is lacking.
 */

const pip = (folder: string, ...args: readonly string[]): void => {
  execFileSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'ignore' })
  execFileSync(join(folder, 'venv/bin/pip'), [...args, '--quiet', '--dest', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const main = (): void => {
  const [version] = process.argv.slice(2)
  const folder = mkdtempSync(join(tmpdir(), 'otterdog-'))
  try {
    pip(folder, 'download', '--no-deps', version === undefined ? 'otterdog' : `otterdog==${version}`)
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? ''
    execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder])
    const schemas = join(folder, 'otterdog/resources/schemas')
    const read = (file: string): Schema => JSON.parse(readFileSync(join(schemas, file), 'utf8')) as Schema
    const theirs = propertiesOf(read('organization.json'), read)
    const ours = propertiesOf(schemaOfFormat())
    const lacking = [...theirs.difference(ours)].toSorted()
    const more = [...ours.difference(theirs)].toSorted()
    process.stdout.write(`${wheel}: ${theirs.size} properties, ${lacking.length} of them are not known here\n`)
    for (const path of lacking) process.stdout.write(`  lacks  ${path}\n`)
    for (const path of more) process.stdout.write(`  only here  ${path}\n`)
    process.exitCode = lacking.length === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

main()
