import { randomBytes } from 'node:crypto'
import { openSharing, type Sharing } from '@sluice/coordination/sharing/open-sharing'
import { openVersionWatch, type VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { Ledger } from '@sluice/ledger/ledger'
import type { Settlement } from '@sluice/ledger/operation'
import { systemTimers } from '@sluice/ledger/timers'
import { mqFromQuota } from '@sluice/ledger/units'
import type { Health } from '@sluice/routing/health'
import { createHealth } from '@sluice/routing/lane-health'
import type { Database } from '@sluice/store/database'
import { type Options, readOptions } from '@sluice/store/options/options'
import { loadOptions } from '@sluice/store/snapshots/options'
import { readVersions } from '@sluice/store/snapshots/versions'
import type { Vault } from '@sluice/store/vault'
import { newRequestId } from '../edge/request-id.ts'
import {
  openConfiguredClock,
  openConfiguredLedger,
  openConfiguredVault,
  openMigrated,
} from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { ensureRoot, type RootAccount } from '../management/sessions/root-account.ts'
import { replicaName } from '../process/identity.ts'
import type { Log } from '../process/logger.ts'
import { type FittingCapacity, openFileLimit, placesWithin } from '../process/open-files.ts'
import { applyConfigurationFile } from './apply-configuration-file.ts'

/** Lanes whose health is tracked: channels × keys × models. */
const KNOWN_LANES = 50_000
/** Keys limited at once: tokens, users, addresses. */
const LIMITED_KEYS = 100_000

export interface Start {
  readonly config: Config
  readonly log: Log
  /** Closes what the stages open, in the reverse order, whether the start fails or the gateway is stopped later. */
  readonly opening: AsyncDisposableStack
  /** Called when the process must end: other replicas have declared it dead, or the files of its database were replaced. */
  readonly onFatal: () => void
}

export interface Data {
  /** Most open files; infinite when unknown. */
  readonly fileLimit: number
  readonly places: FittingCapacity
  readonly database: Database
  /** Unix milliseconds, the same for all replicas. */
  readonly now: () => number
  readonly vault: Vault
  readonly options: () => Options
  readonly replica: string
  readonly ledger: Ledger
  /** Number of charges since the start that somebody needs to look at. */
  readonly uncharged: () => number
  /** This process's knowledge about the lanes. `sharing.health` also tells other replicas. */
  readonly health: Health
  readonly sharing: Sharing
  readonly root: RootAccount
}

/** First stage. `onCharged` is called for every durable charge. */
export async function openData(start: Start, onCharged: (settlement: Settlement) => void): Promise<Data> {
  const { config, log, opening } = start
  const fileLimit = openFileLimit()
  const places = placesWithin(fileLimit, config.maxRequests)
  if (places.requests < config.maxRequests) {
    log.warn(
      { limit: fileLimit, requests: places.requests, wanted: config.maxRequests, enough: places.enough },
      'concurrent requests are limited below SLUICE_MAX_REQUESTS, because too few files can be open (ulimit -n)',
    )
  }
  const database = await openMigrated(config, (sentence) => log.warn({}, sentence))
  opening.defer(() => database.close())
  const clock = await openConfiguredClock(database, log)
  opening.defer(() => clock.close())
  const { now } = clock
  const vault = await openConfiguredVault(config, database)
  await applyConfigurationFile(config, { database, vault, now }, log)
  const watch = openVersionWatch({
    read: () => readVersions(database.kysely),
    known: await readVersions(database.kysely),
    pollMs: config.syncIntervalMs,
    random: Math.random,
    onError: (error) => log.error({ error }, 'changes could not be read'),
  })
  opening.defer(() => watch.close())
  const options = await createOptionSnapshot(() => loadOptions(database.kysely), vault, watch, log)
  const replica = replicaName(newRequestId())
  let uncharged = 0
  const ledger = await openConfiguredLedger(config, database, {
    replica,
    now,
    remindBelow: () => mqFromQuota(options().QuotaRemindThreshold),
    log,
    onDead: start.onFatal,
    onCharged,
    onUncharged: () => void (uncharged += 1),
  })
  opening.defer(() => ledger.close())
  const health = createHealth({ capacity: KNOWN_LANES, random: Math.random })
  const sharing = await openSharing({
    database,
    replica,
    valkeyUrl: config.valkeyUrl,
    health,
    versions: watch,
    capacity: LIMITED_KEYS,
    now,
    random: Math.random,
    every: (ms, run) => systemTimers.every(ms, run),
    onValkeyUp: () => log.info({}, 'Valkey is used'),
    onValkeyDown: (reason) =>
      log.warn({ reason }, 'Valkey is not available; until it is, this process decides on its own'),
    onError: (error) => log.error({ error }, 'the shared state of replicas could not be read or written'),
  })
  opening.defer(() => sharing.close())
  if (config.valkeyUrl !== '' && database.engine === 'sqlite') {
    log.warn({}, 'Valkey is not used: with SQLite there is only one process, which has nothing to share')
  }
  const root = await ensureRoot({ database, ledger, now, randomBytes }, config.rootPassword, config.firstSignIn)
  const found = { vault, options, replica, ledger, uncharged: () => uncharged, health, sharing, root }
  return { fileLimit, places, database, now, ...found }
}

async function createOptionSnapshot(
  loadRows: () => Promise<ReadonlyMap<string, string>>,
  vault: Vault,
  versions: Pick<VersionWatch, 'onChange'>,
  log: Pick<Log, 'warn'>,
): Promise<() => Options> {
  const load = async (): Promise<Options> => {
    const { options, problems } = readOptions(await loadRows(), (sealed) => {
      const opened = vault.open('option', sealed)
      return opened.ok ? opened.text : undefined
    })
    for (const problem of problems) log.warn({ problem }, 'a stored setting is ignored')
    return options
  }
  let current = await load()
  versions.onChange('options', async () => {
    current = await load()
  })
  return () => current
}
