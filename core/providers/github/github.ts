import type { ProviderDocument, ProviderFactory, ProviderInput } from '../../engine/provider/provider.ts'
import type { Json } from '../../engine/schema/json.ts'
import { rest } from '../rest/rest.ts'
import { document } from './document.ts'
import { refusals } from './words.ts'

/** An organisation on GitHub: the REST provider with a document that is shipped. */
export const github: ProviderFactory = {
  configure: (input) => {
    const { alias, position, definition } = input
    return definition === undefined
      ? rest.configure({ ...input, definition: shipped(input) })
      : { ok: false, issues: [{ ...position, ...refusals.ownDefinition(alias), value: definition.file }] }
  },
}

let whole: Json | undefined
/** Read at its first use, and the same value from then on: what was found out about it holds for every check. */
const wholeDocument = (): Json => {
  whole ??= document()
  return whole
}

/** Nobody can edit it: what is said about it is said about the entry of the provider. */
const shipped = ({ position }: ProviderInput): ProviderDocument => ({
  file: position.file,
  value: wholeDocument(),
  locate: () => position,
})
