import * as z from 'zod'

const days = (usual: number) =>
  z.number().int().min(1, 'is less than 1').max(36_500, 'is more than a hundred years, 36500').default(usual)

/** How many days the table keeps runs, and backups of the recorded state. */
export const retentionShape = z
  .strictObject({ inSyncDays: days(30), otherDays: days(400), backupDays: days(90) })
  .superRefine(({ inSyncDays, otherDays }, context) => {
    if (otherDays >= inSyncDays) return
    const message = `is less than inSyncDays (${inSyncDays}): raise it, or lower that`
    context.addIssue({ code: 'custom', path: ['otherDays'], message, input: otherDays })
  })

/** The variables of each function that stores runs or backups. */
export const retentionVariables = ({ inSyncDays, otherDays, backupDays }: z.infer<typeof retentionShape>) => ({
  KEPT_DAYS_IN_SYNC: String(inSyncDays),
  KEPT_DAYS_OTHER: String(otherDays),
  KEPT_DAYS_BACKUP: String(backupDays),
})
