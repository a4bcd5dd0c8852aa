import type { RestDocument } from '../document/document.ts'
import { checkAttributes, checkResolvers } from './attributes.ts'
import { checkIdentity } from './identity.ts'
import { checkLife, checkWaits } from './life.ts'
import { checkOperations } from './operation.ts'
import { checkActions, checkPart } from './part.ts'
import { type DocumentProblem, found } from './problem.ts'
import { checkProvider } from './provider.ts'
import { checkSignIn } from './sign-in.ts'
import { checkTemplates } from './variables.ts'

/** What the keys of a document demand of each other. Needs no server and no description of one. */
export const checkDocument = (document: RestDocument): readonly DocumentProblem[] =>
  found(
    [],
    checkProvider(document),
    checkSignIn(document),
    checkResolvers(document),
    Object.entries(document.resources).map(([name, resource]) =>
      found(
        ['resources', name],
        checkOperations(document, resource),
        checkIdentity(resource),
        checkLife(resource),
        checkActions(resource),
        checkWaits(resource),
        checkTemplates(document, resource),
        resource.parts.map((part, index) => found(['parts', index], checkPart(resource, part))),
        checkAttributes(document, resource),
      ),
    ),
  )
