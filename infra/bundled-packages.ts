import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PackageInBundle {
  readonly name: string
  readonly version: string
  /** An SPDX expression, such as `MIT` or `(MIT OR Apache-2.0)`; NOASSERTION if its package.json names none. */
  readonly licence: string
  readonly texts: readonly string[]
}

const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/s

export const packagesOf = (files: Iterable<string>): readonly PackageInBundle[] => {
  const folders = new Set<string>()
  for (const file of files) {
    const [folder] = packageFolder.exec(file.replaceAll('\\', '/')) ?? []
    if (folder !== undefined) folders.add(folder)
  }
  const found = new Map([...folders].map(readPackage).map((each) => [`${each.name}@${each.version}`, each]))
  return [...found].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each)
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string | { readonly type?: string }
}

const readPackage = (folder: string): PackageInBundle => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const licence = (typeof license === 'string' ? license : license?.type) ?? 'NOASSERTION'
  return { name, version, licence, texts: textsIn(folder) }
}

const textsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
