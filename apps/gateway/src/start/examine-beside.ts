import { tmpdir } from 'node:os'
import type { Found } from '@sluice/contract/findings/catalogue'
import { readDatabaseTime } from '@sluice/store/clocks'
import type { Database } from '@sluice/store/database'
import { readOptions } from '@sluice/store/options/options'
import { loadChannels } from '@sluice/store/snapshots/channels'
import { loadOptions } from '@sluice/store/snapshots/options'
import type { Vault } from '@sluice/store/vault'
import type { ChannelFacts } from '../doctor/checks/channels.ts'
import { diskCheck } from '../doctor/checks/disk.ts'
import { type Examination, examine } from '../doctor/doctor.ts'
import { readFolder, readSpace } from '../doctor/folder-facts.ts'
import type { DoctorParts } from '../doctor/wire-checks.ts'
import { openExisting, openGivenVault, StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { openGuardedClient } from '../outbound/guarded-client.ts'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { VERSION } from '../process/identity.ts'
import { openStoredTest } from '../relay/upstream/open-stored-test.ts'
import { sharedParts } from './open-doctor.ts'

export interface BesideOptions {
  /** Sends one short request through every enabled channel, for which its provider charges. */
  readonly callProviders: boolean
  readonly onError: DoctorParts['onError']
  /** A problem that an operator can fix, in one sentence. */
  readonly sentenceOf: (error: unknown) => string | undefined
  readonly signal: AbortSignal
}

/**
 * Examines the configured installation, whether or not its gateways are running. Writes only the value by which gateways recognise
 * the request through the public address. A failure to open the database or the master key becomes a finding.
 */
export async function examineBeside(config: Config, options: BesideOptions): Promise<Examination> {
  await using opened = new AsyncDisposableStack()
  const began = performance.now()
  const withoutData = async (problem: Found): Promise<Examination> => ({
    version: VERSION,
    begun: Date.now(),
    found: [problem, ...(await diskAlone(config))],
    elapsedMs: performance.now() - began,
  })
  let database: Database
  try {
    database = await openExisting(config)
  } catch (error) {
    return await withoutData(closedBy(error, options.sentenceOf(error)))
  }
  opened.defer(() => database.close())
  let vault: Vault
  try {
    vault = await openGivenVault(config)
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    return await withoutData({ id: 'keys.none', params: { reason: error.message } })
  }
  const aheadMs = Date.now() - (await readDatabaseTime(database))
  const now = (): number => Date.now() - (database.engine === 'sqlite' ? 0 : aheadMs)
  const guard = createAddressGuard(config.upstreamPrivate)
  const guarded = openGuardedClient(guard)
  opened.defer(() => guarded.close())
  const test = options.callProviders
    ? await channelTest({ config, database, vault, now, fetchGuarded: guarded.fetch }, opened)
    : undefined
  const { onError, signal } = options
  const installation = { config, database, vault, guard, fetchGuarded: guarded.fetch, now, onError }
  return await examine({ ...sharedParts(installation), ...(test === undefined ? {} : { testChannel: test }) }, signal)
}

/** Time for a provider to answer a short request, if it answers at all. */
const TEST_MS = 60_000

async function channelTest(
  parts: Pick<DoctorParts, 'config' | 'database' | 'vault' | 'now'> & { readonly fetchGuarded: FetchGuarded },
  opened: AsyncDisposableStack,
): Promise<NonNullable<ChannelFacts['test']>> {
  const { database, vault } = parts
  const { options } = readOptions(await loadOptions(database.kysely), (sealed) => {
    const found = vault.open('option', sealed)
    return found.ok ? found.text : undefined
  })
  const channels = await loadChannels(database.kysely)
  const stored = openStoredTest({ ...parts, channels, priceOverrides: options.PriceOverrides })
  opened.defer(() => stored.close())
  return async (channel, signal) => {
    const result = await stored.test(channel, null, AbortSignal.any([signal, AbortSignal.timeout(TEST_MS)]))
    // It was not called: nobody is waiting any more, or the channel is only called with its callers' keys.
    return result.ok || result.cause === 'stopped' ? '' : result.message
  }
}

/** An unavailable or damaged database must not stop the doctor, whose purpose is to find that. */
function closedBy(error: unknown, sentence: string | undefined): Found {
  if (sentence !== undefined) return { id: 'database.closed', params: { reason: sentence } }
  if (!(error instanceof Error)) throw error
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  return { id: 'database.closed', params: { reason: `${error.name}${code}` } }
}

async function diskAlone(config: Config): Promise<readonly Found[]> {
  const check = diskCheck({
    dataFolder: () => readFolder(config.dataDir),
    temporaryFolder: () => readSpace(tmpdir()),
    databaseFile: config.databaseUrl === '' ? 'sluice.db' : undefined,
    now: Date.now,
  })
  return await check.examine(AbortSignal.timeout(TEST_MS)).catch((): readonly Found[] => [])
}
