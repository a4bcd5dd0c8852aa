import type { Plan } from '../schema/stored/plan.ts'

/**
 * A plan that was made without records and is not kept: it cannot be approved, and it cannot tell which entries of
 * `moved`, `removed` and `gone` still name something.
 */
export const unkept = ({ idleEntries: _, ...plan }: Plan): Plan => ({ ...plan, view: 'unkept' })
