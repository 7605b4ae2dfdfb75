import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadOptions } from '@sluice/store/snapshots/options'
import { databaseProblem } from '../configured.ts'
import { type RelayThreads, startRelayThreads } from '../threads/relay-threads.ts'
import { type Data, KNOWN_LANES, type Start } from './open-data.ts'
import type { Traffic } from './open-traffic.ts'

/** Threads for the paid path, and the socket at which they reach everything else. */
export interface Threads {
  readonly relays: RelayThreads
  readonly socketPath: string
  readonly count: number
}

/** Only there can several sockets listen on one port, so that the system gives each of them its part of the connections. */
const CAN_SHARE_PORTS = process.platform === 'linux'

/** Each takes the memory of another isolate, and the main thread carries the plain requests of about five. */
const MOST_BY_DEFAULT = 8

/** One core is left to the main thread and the ledger's. */
export const threadsFor = (cores: number): number => Math.min(Math.max(1, cores - 1), MOST_BY_DEFAULT)

/** Fourth stage. Undefined when this thread relays itself. */
export async function openThreads(
  { config, log, opening, onFatal }: Start,
  { fileLimit, places, database, ledger, sharing, health, now }: Data,
  { relay, rows, cachedResponses, callerLimits, guard, guardedLedger, tokenizer, reports }: Traffic,
): Promise<Threads | undefined> {
  const count = config.relayThreads === 'auto' ? threadsFor(availableParallelism()) : config.relayThreads
  if (count === 1) return undefined
  if (!CAN_SHARE_PORTS) {
    if (config.relayThreads !== 'auto') log.warn({}, 'one relay thread: this system cannot share a port among several')
    return undefined
  }
  const directory = await openDirectory(config.dataDir)
  opening.defer(() => rm(directory, { recursive: true, force: true }))
  const socketPath = join(directory, 'main.sock')
  const share = (whole: number): number => Math.ceil(whole / count)
  const relays = startRelayThreads({
    count,
    start: {
      config: {
        ...config,
        maxRequests: share(places.requests),
        bodyMemory: Math.max(config.bodyLimit, share(config.bodyMemory)),
        upstreamConnections: share(config.upstreamConnections),
      },
      maxConnections: share(places.connections),
      fileLimit,
      isMeasured: reports.onFinished !== undefined,
      socketPath,
      knownLanes: KNOWN_LANES,
    },
    state: () => ({
      isStuck: ledger.stuck,
      isFull: ledger.backlog >= config.ledgerQueue,
      isDead: ledger.dead,
      aheadMs: now() - Date.now(),
    }),
    ledger: guardedLedger,
    loops: guard,
    callerLimits,
    tokenizer,
    rows,
    cachedResponses,
    onHeard: relay.hear,
    loadOptions: () => loadOptions(database.kysely),
    databaseProblem: () => databaseProblem(database),
    reports,
    versions: sharing.versions,
    health,
    now,
    onFatal,
    log,
  })
  opening.defer(async () => void (await relays.close(0, 0)))
  return { relays, socketPath, count }
}

/** A new folder that only this user can enter: among temporary files, or in the data where those cannot be written. */
async function openDirectory(dataDir: string): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'sluice-'))
  } catch {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    return await mkdtemp(join(dataDir, 'sluice-'))
  }
}
