import { semanticsList } from './page.ts'

/** Prints every rule with its test: `npm run semantics`. */
process.stdout.write(semanticsList())
