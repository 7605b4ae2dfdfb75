import type { Found } from '@sluice/contract/findings/catalogue'
import type { BackupRuns } from '@sluice/store/queries/backup-runs'
import { type Check, orWell } from '../check.ts'
import { momentText } from '../in-words.ts'

export interface BackupFacts {
  /** Where scheduled backups go; empty for nowhere. */
  readonly place: string
  readonly everyMs: number
  readonly runs: (place: string) => Promise<BackupRuns>
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Whether scheduled backups are made. */
export function backupCheck({ place, everyMs, runs, now }: BackupFacts): Check {
  return {
    name: 'backups',
    examine: async () => {
      if (place === '') return [{ id: 'backups.none' }]
      const { first, succeeded, isFailing } = await runs(place)
      const params = { place, at: momentText(succeeded) }
      const isOverdue = (succeeded === 0 ? first : succeeded) <= now() - 2 * everyMs
      const found: readonly Found[] =
        succeeded === 0
          ? [{ id: isFailing ? 'backups.failing' : 'backups.never', params: { place } }]
          : isOverdue
            ? [{ id: 'backups.old', params }]
            : []
      return orWell(found, { id: 'backups.ok', params })
    },
  }
}
