import * as z from 'zod'

export const actorShape = z.object({
  subject: z.string().meta({ description: 'The `sub` of the token, the IAM ARN, or `local:<user>`.' }),
  via: z.enum(['schedule', 'api', 'cli', 'webhook']),
  issuer: z.string().exactOptional(),
})
export type Actor = z.infer<typeof actorShape>
