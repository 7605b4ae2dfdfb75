import type { Health, Rest } from '@sluice/routing/health'
import type { Database } from '@sluice/store/database'
import { countReplicas } from '@sluice/store/queries/channel-rests'
import { createValkeyLimits, LIMIT_SCRIPTS } from '../engines/valkey-limits.ts'
import { openValkey, type Valkey } from '../engines/valkey.ts'
import { createMemoryLimits, type Limits } from '../limits.ts'
import { type LiveReplicas, watchReplicas } from '../live-replicas.ts'
import type { VersionWatch } from '../snapshot-versions.ts'
import { shareHealth } from './lane-health.ts'
import { shareVersions } from './snapshot-news.ts'

/** What replicas of one database have in common beside the database. */
export interface Sharing {
  readonly limits: Limits
  /** To be used instead of those that were handed in. */
  readonly health: Health
  readonly versions: VersionWatch
  readonly replicas: Pick<LiveReplicas, 'count'>
  /** Undefined without one; else whether it can be used at the moment. */
  readonly valkey: Pick<Valkey, 'usable'> | undefined
  /** A call of this process has brought its lane this rest. Returns at once. */
  readonly told: (rest: Rest) => void
  close(): Promise<void>
}

export interface SharingOptions {
  readonly database: Database
  /** Name of this process among all. */
  readonly replica: string
  /** Empty: without. */
  readonly valkeyUrl: string
  readonly health: Health
  readonly versions: VersionWatch
  /** Keys of limits in use at the same time. */
  readonly capacity: number
  /** Unix milliseconds. */
  readonly now: () => number
  /** 0 to 1. */
  readonly random: () => number
  /** Calls a task every so many ms, and answers how to stop. */
  readonly every: (ms: number, task: () => void) => () => void
  /** Valkey can be used. */
  readonly onValkeyUp: () => void
  /** It cannot, and is done without; `reason` holds no secret. */
  readonly onValkeyDown: (reason: string) => void
  readonly onError: (error: unknown) => void
}

/**
 * Opens what is shared: after this process is among the replicas. On SQLite a process is alone, so it keeps everything in its
 * memory and needs no Valkey.
 */
export async function openSharing(options: SharingOptions): Promise<Sharing> {
  const { database, replica, health, versions, capacity, now, random, every, onError } = options
  if (database.engine === 'sqlite') {
    return {
      limits: createMemoryLimits({ capacity, now, shareOf: () => 1 }),
      health,
      versions,
      replicas: { count: () => 1 },
      valkey: undefined,
      told: () => {},
      close: async () => {},
    }
  }
  const replicas = await watchReplicas({ read: () => countReplicas(database.kysely, database.engine), every, onError })
  const memory = createMemoryLimits({ capacity, now, shareOf: () => 1 / replicas.count() })
  const valkey =
    options.valkeyUrl === ''
      ? undefined
      : await openValkey({
          url: options.valkeyUrl,
          scripts: LIMIT_SCRIPTS,
          random,
          onUp: options.onValkeyUp,
          onDown: options.onValkeyDown,
        })
  const shared = shareHealth({ health, database, replica, valkey, now, every, onError })
  return {
    limits: valkey === undefined ? memory : createValkeyLimits(valkey, memory),
    health: shared.health,
    versions: valkey === undefined ? versions : shareVersions(versions, valkey, replica, onError),
    replicas,
    valkey,
    told: shared.told,
    close: async () => {
      replicas.close()
      await shared.close()
      await valkey?.close()
    },
  }
}
