import type { Alert } from '../schema/records.ts'

/** Hands an alert to whoever listens. Rejects when it was not taken over, and is then called again with the same alert. */
export interface AlertSink {
  publish(alert: Alert, signal?: AbortSignal): Promise<void>
}
