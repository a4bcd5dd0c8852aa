export const otherWebhookName =
  'the last part of the name of this secret must be `webhook`: the API may read no other one'
export const noSource = (source: string): string => `"${source}" names no secret`
export const eventsProblem = (why: string): string => `events.github.webhookSecret: ${why}`
