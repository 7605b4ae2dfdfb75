import type { Cooldown, Health } from '@sluice/routing/health'
import type { Database } from '@sluice/store/database'
import { countReplicas } from '@sluice/store/queries/channels/channel-rests'
import { createValkeyLimits, LIMIT_SCRIPTS } from '../engines/valkey-limits.ts'
import { openValkey, type Valkey } from '../engines/valkey.ts'
import { createMemoryLimits, type Limits } from '../limits.ts'
import { openSchedule } from '../schedule.ts'
import type { VersionWatch } from '../snapshot-versions.ts'
import { openSharedHealth } from './lane-health.ts'
import { createSharedVersions } from './snapshot-news.ts'

export interface Sharing {
  readonly limits: Limits
  /** Use this in place of the health passed in. */
  readonly health: Health
  readonly versions: VersionWatch
  readonly replicas: Pick<LiveReplicas, 'count'>
  /** Undefined without a Valkey server. */
  readonly valkey: Pick<Valkey, 'usable'> | undefined
  /** Reports that a call of this process caused a cooldown. Returns at once. */
  readonly reportCooldown: (cooldown: Cooldown) => void
  close(): Promise<void>
}

export interface SharingOptions {
  readonly database: Database
  readonly replica: string
  /** Empty for no Valkey server. */
  readonly valkeyUrl: string
  readonly health: Health
  readonly versions: VersionWatch
  /** Most limit keys in use at the same time. */
  readonly capacity: number
  /** Unix milliseconds. */
  readonly now: () => number
  readonly random: () => number
  readonly every: (ms: number, task: () => void) => () => void
  readonly onValkeyUp: () => void
  /** Valkey cannot be used, and the process continues without it; `reason` contains no secret. */
  readonly onValkeyDown: (reason: string) => void
  readonly onError: (error: unknown) => void
}

/** Call it after adding the process to the replicas. On SQLite a process is alone: everything is in memory, without Valkey. */
export async function openSharing(options: SharingOptions): Promise<Sharing> {
  const { database, replica, health, versions, capacity, now, random, every, onError } = options
  if (database.engine === 'sqlite') {
    return {
      limits: createMemoryLimits({ capacity, now, shareOf: () => 1 }),
      health,
      versions,
      replicas: { count: () => 1 },
      valkey: undefined,
      reportCooldown: () => {},
      close: async () => {},
    }
  }
  const replicas = await openReplicaWatch({
    read: () => countReplicas(database.kysely, database.engine),
    every,
    onError,
  })
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
  const shared = openSharedHealth({ health, database, replica, valkey, now, every, onError })
  return {
    limits: valkey === undefined ? memory : createValkeyLimits(valkey, memory),
    health: shared.health,
    versions: valkey === undefined ? versions : createSharedVersions(versions, valkey, replica, onError),
    replicas,
    valkey,
    reportCooldown: shared.reportCooldown,
    close: async () => {
      replicas.close()
      await shared.close()
      await valkey?.close()
    },
  }
}

export interface LiveReplicas {
  /** At least 1; at most ten seconds old. While the database is unreachable, the last known number. */
  readonly count: () => number
  close(): void
}

export interface LiveReplicasOptions {
  /** Counts replicas with a recent sign of life; see `countReplicas` of the store. */
  readonly read: () => Promise<number>
  readonly every: (ms: number, task: () => void) => () => void
  readonly onError: (error: unknown) => void
}

const LOOK_MS = 10_000

/** Counts before it resolves; while it cannot count, this process is assumed to be alone. */
async function openReplicaWatch({ read, every, onError }: LiveReplicasOptions): Promise<LiveReplicas> {
  let count = 1
  const look = async (): Promise<void> => {
    count = Math.max(1, await read())
  }
  const schedule = openSchedule({ every, ms: LOOK_MS, look, onError })
  await schedule.look()
  return { count: () => count, close: () => void schedule.close() }
}
