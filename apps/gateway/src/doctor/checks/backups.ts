import type { Found } from '@sluice/contract/findings/catalogue'
import type { BackupRuns } from '@sluice/store/queries/backup-runs'
import { type Check, orWell } from '../check.ts'
import { momentText } from '../in-words.ts'
import { OTHERS_WRITE } from './disk.ts'

export interface BackupFacts {
  /** Place of scheduled backups; empty for none. */
  readonly place: string
  readonly everyMs: number
  /** Permission bits of that folder; undefined if it is not a folder, or does not exist yet. */
  readonly folderMode: () => Promise<number | undefined>
  readonly runs: (place: string) => Promise<BackupRuns>
  /** Unix milliseconds. */
  readonly now: () => number
}

export function backupCheck({ place, everyMs, folderMode, runs, now }: BackupFacts): Check {
  return {
    name: 'backups',
    examine: async () => {
      if (place === '') return [{ id: 'backups.none' }]
      const { first, succeeded, isFailing } = await runs(place)
      const params = { place, at: momentText(succeeded) }
      const isOverdue = (succeeded === 0 ? first : succeeded) <= now() - 2 * everyMs
      const mode = await folderMode()
      const made: readonly Found[] =
        succeeded === 0
          ? [{ id: isFailing ? 'backups.failing' : 'backups.never', params: { place } }]
          : isOverdue
            ? [{ id: 'backups.old', params }]
            : []
      const isWritable = mode !== undefined && (mode & OTHERS_WRITE) !== 0
      const found: readonly Found[] = isWritable ? [...made, { id: 'backups.writable', params: { place } }] : made
      return orWell(found, { id: 'backups.ok', params })
    },
  }
}
