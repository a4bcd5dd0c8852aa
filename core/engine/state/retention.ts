/** For how many days the store keeps what ends by itself. The ledger is kept without limit. */
export interface Retention {
  /** A run that found everything in sync is of no use later. */
  readonly inSyncDays: number
  readonly otherDays: number
  readonly backupDays: number
}

export const usualRetention: Retention = { inSyncDays: 30, otherDays: 400, backupDays: 90 }

/** In seconds since 1970. */
export const expiryAfter = (time: string, days: number): number =>
  Math.floor(Date.parse(time) / 1000) + days * 24 * 3600
