import type { Database } from '@sluice/store/database'
import { listLiveReplicas, writeReplicaFacts } from '@sluice/store/queries/doctor/replicas'
import * as v from 'valibot'

const count = v.pipe(v.number(), v.finite())

const replicaFacts = v.object({
  version: v.string(),
  /** Ids of its master keys, the sealing one first. */
  keyIds: v.array(v.string()),
  /** Settings that should be the same on all replicas, as text by variable; never a secret. */
  settings: v.record(v.string(), v.string()),
  /** How far its own clock is ahead of the database's, in ms. */
  aheadMs: count,
  /** The largest step of its own clock since it started, in ms. */
  steppedMs: count,
  /** 0: no limit. */
  fileLimit: count,
  /** Concurrent requests: as configured and as admitted, and the limit of open files that would be enough. */
  requests: v.object({ wanted: count, admitted: count, enoughFiles: count }),
  /** Bytes that the system allows it; 0: no limit. */
  memoryLimit: count,
  bodyMemory: count,
  cores: count,
  /** Charges since its start that somebody needs to look at. */
  uncharged: count,
})

/** A replica's report to the doctor about itself. Times in ms, sizes in bytes. */
export type ReplicaFacts = v.InferOutput<typeof replicaFacts>

export interface KnownReplica {
  readonly id: string
  /** Undefined without a report, or if this version does not understand it. */
  readonly facts: ReplicaFacts | undefined
}

/** `machine:process`, without the id of the start, which tells a reader nothing. */
export function replicaInWords(id: string): string {
  return id.replace(/:[0-9a-f]{32}$/, '')
}

export async function knownReplicas(database: Pick<Database, 'kysely' | 'engine'>): Promise<readonly KnownReplica[]> {
  const rows = await listLiveReplicas(database)
  return rows.map(({ id, facts }) => ({ id, facts: readFacts(facts) }))
}

function readFacts(text: string): ReplicaFacts | undefined {
  try {
    const parsed = v.safeParse(replicaFacts, JSON.parse(text))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

export interface FactsTeller {
  close(): Promise<void>
}

const TELL_MS = 30_000

/** Writes this replica's report now and every half minute. */
export async function openFactsTeller(options: {
  readonly database: Pick<Database, 'kysely'>
  readonly replica: string
  readonly facts: () => ReplicaFacts
  /** Calls a task at this interval in ms, and returns a function that stops it. */
  readonly every: (ms: number, task: () => void) => () => void
  readonly onError: (error: unknown) => void
}): Promise<FactsTeller> {
  const { database, replica, facts, every, onError } = options
  let telling: Promise<void> | undefined
  const tell = (): Promise<void> => {
    telling ??= writeReplicaFacts(database.kysely, replica, JSON.stringify(facts()))
      .catch(onError)
      .finally(() => {
        telling = undefined
      })
    return telling
  }
  await tell()
  const stop = every(TELL_MS, () => void tell())
  return {
    close: async () => {
      stop()
      await telling
    },
  }
}
