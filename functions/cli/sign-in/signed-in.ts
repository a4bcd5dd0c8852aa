import * as z from 'zod'

/** What a sign-in leaves. */
export const sessionShape = z.object({
  issuer: z.string(),
  clientId: z.string(),
  scope: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  /** ISO 8601. */
  expiresAt: z.string().optional(),
})
export type SignedIn = z.infer<typeof sessionShape>
