import type { Json } from '../../../engine/schema/json.ts'
import { type Builder, builders } from './defaults.ts'
import { headText, repositoriesText } from './words.ts'

const valueText = (value: Json): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n    ')

const functionText = ([name, { parameters, builds }]: readonly [string, Builder]): string => {
  const given = parameters.map((each) => `\n    ${each}: ${each},`)
  const fields = Object.entries(builds).map(([field, value]) => `\n    ${field}: ${valueText(value)},`)
  const more = name === 'newOrg' ? repositoriesText : ''
  return `  ${name}(${parameters.join(', ')}):: {${[...given, ...fields].join('')}${more}\n  },`
}

/** A library in Jsonnet with the functions that organisation files call, and the defaults that Otterdog documents. */
export const libraryText = (): string => `${headText}{\n${Object.entries(builders).map(functionText).join('\n')}\n}\n`
