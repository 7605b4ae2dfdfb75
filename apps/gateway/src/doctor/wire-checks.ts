import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import type { CheckName } from '@sluice/contract/findings/catalogue'
import { createPriceOverrides } from '@sluice/providers/prices/price-overrides'
import { readDatabaseTime } from '@sluice/store/clocks'
import type { Database } from '@sluice/store/database'
import { findPending } from '@sluice/store/migrate'
import { OPTION_DEFINITIONS } from '@sluice/store/options/option-definitions'
import type { Options } from '@sluice/store/options/options'
import { pageOf } from '@sluice/store/paging'
import { readBackupRuns } from '@sluice/store/queries/backup-runs'
import { putOutCall, takeBackCall } from '@sluice/store/queries/doctor/doctor-calls'
import * as overview from '@sluice/store/queries/doctor/overview'
import { listAlarms } from '@sluice/store/queries/ledger/alarms'
import { listLedgerChecks } from '@sluice/store/queries/ledger/ledger-checks'
import { missingKeys } from '@sluice/store/reseal'
import { loadChannels } from '@sluice/store/snapshots/channels'
import type { Vault } from '@sluice/store/vault'
import type { Config } from '../environment/environment.ts'
import { createSmtpCheck } from '../messages/deliver-smtp.ts'
import { type AddressGuard, createAddressGuard, isPrivateAddress } from '../outbound/address-guard.ts'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { discover } from '../sign-in-providers/oidc.ts'
import { askOwnAddress } from './ask-own-address.ts'
import type { Check } from './check.ts'
import { accountCheck } from './checks/accounts.ts'
import { addressCheck } from './checks/address.ts'
import { backupCheck } from './checks/backups.ts'
import { channelCheck, type ChannelFacts } from './checks/channels.ts'
import { clockCheck } from './checks/clock.ts'
import { databaseCheck } from './checks/database.ts'
import { diskCheck } from './checks/disk.ts'
import { keyCheck } from './checks/keys.ts'
import { ledgerCheck } from './checks/ledger.ts'
import { machineCheck } from './checks/machine.ts'
import { mailCheck } from './checks/mail.ts'
import { modelCheck } from './checks/models.ts'
import { replicaCheck } from './checks/replicas.ts'
import { settingCheck } from './checks/settings.ts'
import { signInCheck } from './checks/sign-in.ts'
import { readFolder, readMode, readSpace } from './folder-facts.ts'
import { type KnownReplica, knownReplicas } from './replica-facts.ts'

export interface DoctorParts {
  readonly config: Config
  readonly database: Database
  readonly vault: Vault
  readonly guard: AddressGuard
  readonly fetchGuarded: FetchGuarded
  /** Name of this machine, with which its replicas' names begin. */
  readonly machine: string
  /** Present if a gateway examines itself. */
  readonly ownFacts?: () => KnownReplica
  /** `now`: unix milliseconds that all replicas share. `own`: those of this machine. `steady`: milliseconds that only increase. */
  readonly now: () => number
  readonly own: () => number
  readonly steady: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** A new value of 64 hex digits each time. */
  readonly newValue: () => string
  readonly isDefaultPassword: (passwordHash: string) => Promise<boolean>
  /** Sends one request through a channel, which costs money; absent when no provider may be called. */
  readonly testChannel?: NonNullable<ChannelFacts['test']>
  readonly onError: (error: unknown, check: CheckName) => void
}

const WEEK_MS = 7 * 86_400_000
const PROOFS = pageOf({ p: 0, size: 20 })
const ONE_ROW = pageOf({ p: 0, size: 1 })

interface SharedFacts {
  readonly settings: Options
  readonly replicas: () => Promise<readonly KnownReplica[]>
}

/** All checks in display order. `problems`: faults of stored settings. */
export function checksOf(parts: DoctorParts, settings: Options, problems: readonly string[]): readonly Check[] {
  const shared = { settings, replicas: once(() => knownBeside(parts)) }
  return [
    ...dataChecks(parts, shared),
    ...processChecks(parts, shared),
    keyCheckOf(parts),
    addressCheckOf(parts, shared),
    ...outsideChecks(parts, shared),
    ...channelChecks(parts, shared),
    accountCheck({
      powerfulUsers: () => overview.listPowerfulUsers(parts.database.kysely),
      isDefaultPassword: parts.isDefaultPassword,
      host: parts.config.host,
    }),
    settingCheck({ options: () => settings, problems: () => problems }),
  ]
}

function dataChecks({ config, database, now, own, steady }: DoctorParts, { replicas }: SharedFacts): readonly Check[] {
  const db = database.kysely
  // A database server is backed up with its own tools, which the gateway does not know.
  const hasOwnBackups = database.engine === 'postgres' && config.backupTo === ''
  return [
    databaseCheck({
      ask: () => readDatabaseTime(database),
      isCurrent: async () => {
        const { pending, problem } = await findPending(database)
        return pending.length === 0 && problem === undefined
      },
      steady,
    }),
    ledgerCheck({
      proofs: async () => (await listLedgerChecks(db, PROOFS, now())).rows,
      holdsUntouchedSince: (since) => overview.holdsUntouchedSince(db, since),
      replicas,
      now,
    }),
    ...(hasOwnBackups
      ? []
      : [
          backupCheck({
            place: config.backupTo,
            everyMs: config.backupEveryMs,
            folderMode: () => readMode(config.backupTo),
            runs: (place) => readBackupRuns(db, place, now()),
            now,
          }),
        ]),
    diskCheck({
      dataFolder: () => readFolder(config.dataDir),
      temporaryFolder: () => readSpace(tmpdir()),
      databaseFile: database.engine === 'sqlite' ? basename(database.file) : undefined,
      now: own,
    }),
  ]
}

function processChecks({ machine, database, own, steady }: DoctorParts, { replicas }: SharedFacts): readonly Check[] {
  return [
    clockCheck({
      machine,
      own,
      steady,
      databaseTime: () => readDatabaseTime(database),
      newestRows: () => overview.newestRows(database.kysely),
      replicas,
    }),
    machineCheck(replicas),
    replicaCheck(replicas),
  ]
}

function keyCheckOf({ config, database, vault }: DoctorParts): Check {
  const [sealing, ...older] = [vault.keyId, ...vault.keyIds.filter((key) => key !== vault.keyId)] as const
  return keyCheck({
    present: [sealing, ...older],
    lost: config.lostKeys,
    inUse: () => missingKeys(database.kysely, []),
  })
}

function addressCheckOf(
  { config, database, newValue, now, steady }: DoctorParts,
  { settings, replicas }: SharedFacts,
): Check {
  const ownAddress = {
    // Whatever the policy for channels, the gateway's own address may be on a private network.
    guard: createAddressGuard('allow'),
    steady,
    newValue,
    putOut: (hash: string, lifeMs: number) => putOutCall(database, hash, lifeMs),
    takeBack: (hash: string) => takeBackCall(database.kysely, hash),
    bodyLimit: config.bodyLimit,
  }
  return addressCheck({
    address: () => settings.ServerAddress,
    initialAddress: OPTION_DEFINITIONS.ServerAddress.default,
    host: config.host,
    trustedProxies: config.trustedProxies,
    basePath: config.basePath,
    bodyLimit: config.bodyLimit,
    ask: (address, signal) => askOwnAddress(ownAddress, address, signal),
    isRunning: async () => (await replicas()).length > 0,
    now,
  })
}

function outsideChecks(
  { config, database, guard, fetchGuarded, now }: DoctorParts,
  { settings }: SharedFacts,
): readonly Check[] {
  const options = (): Options => settings
  return [
    mailCheck({
      options,
      tryServer: createSmtpCheck({
        guard,
        isNearby: isPrivateAddress,
        verifyCertificate: config.smtpCertificate === 'verify',
      }),
      givenUp: () => overview.mailsGivenUpSince(database.kysely, now() - WEEK_MS),
    }),
    signInCheck({
      options,
      discover: async ({ OidcWellKnown: wellKnown, OidcClientId: id, OidcClientSecret: secret }, signal) => {
        const setup = await discover(fetchGuarded, { wellKnown, id, secret }, signal)
        return setup.ok ? '' : setup.reason
      },
    }),
  ]
}

function channelChecks(
  { database, vault, testChannel, now }: DoctorParts,
  { settings }: SharedFacts,
): readonly Check[] {
  const db = database.kysely
  const channels = once(() => loadChannels(db))
  const overrides = createPriceOverrides(
    () => settings.PriceOverrides,
    () => {},
  )
  return [
    channelCheck({
      channels,
      switchedOff: () => overview.listSwitchedOff(db),
      vault,
      ...(testChannel === undefined ? {} : { test: testChannel }),
    }),
    modelCheck({
      channels,
      requestsSince: (day) => overview.requestsSince(db, day),
      options: () => settings,
      overrides,
      openAlarms: async () => (await listAlarms(db, ONE_ROW)).total,
      now,
    }),
  ]
}

/** Live replicas, with this process's current report. */
async function knownBeside({ database, ownFacts }: DoctorParts): Promise<readonly KnownReplica[]> {
  const known = await knownReplicas(database)
  const self = ownFacts?.()
  return self === undefined ? known : [...known.filter(({ id }) => id !== self.id), self]
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => (reading ??= read())
}
