import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import type { PackageInBundle } from './bundled-packages.ts'

export interface Bundled {
  readonly name: string
  readonly version: string
}

const isExpression = (licence: string): boolean => /[\s()]|^NOASSERTION$/.test(licence)

const componentOf = ({ name, version, licence }: PackageInBundle): Models.Component => {
  // https://github.com/package-url/purl-spec: the @ of a scope is encoded.
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
  const component = new Models.Component(Enums.ComponentType.Library, name, { version, bomRef: purl, purl })
  component.licenses.add(
    isExpression(licence) ? new Models.LicenseExpression(licence) : new Models.SpdxLicense(licence),
  )
  return component
}

/**
 * Returns the software bill of materials of a bundle, as CycloneDX 1.6 in JSON: the packages whose code it contains.
 * Equal bundles give equal texts, without a time or a serial number. https://cyclonedx.org/docs/1.6/json
 */
export const toSbom = ({ name, version }: Bundled, packages: readonly PackageInBundle[]): string => {
  const bom = new Models.Bom()
  const product = new Models.Component(Enums.ComponentType.Application, name, { version, bomRef: name })
  const components = packages.map(componentOf)
  for (const each of components) {
    bom.components.add(each)
    product.dependencies.add(each.bomRef)
  }
  bom.metadata.component = product
  const normalise = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(normalise).serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** Returns the licences of the packages in a bundle, with their texts, which must be distributed with the code. */
export const toLicences = (packages: readonly PackageInBundle[]): string =>
  packages
    .map(({ name, version, licence, texts }) => [`${name}@${version}: ${licence}`, ...texts].join('\n\n'))
    .join(`\n\n${'='.repeat(80)}\n\n`)
