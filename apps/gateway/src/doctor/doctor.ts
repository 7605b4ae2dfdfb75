import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import type { CheckName } from '@sluice/contract/findings/catalogue'
import { createPriceOverrides } from '@sluice/providers/prices/price-overrides'
import type { Database } from '@sluice/store/database'
import { readDatabaseTime } from '@sluice/store/database-time'
import { findPending } from '@sluice/store/migrate'
import { OPTION_DEFINITIONS } from '@sluice/store/options/option-definitions'
import { type Options, readOptions } from '@sluice/store/options/options'
import { pageOf } from '@sluice/store/paging'
import { readBackupRuns } from '@sluice/store/queries/backup-runs'
import { putOutCall, takeBackCall } from '@sluice/store/queries/doctor/doctor-calls'
import * as overview from '@sluice/store/queries/doctor/overview'
import { listAlarms } from '@sluice/store/queries/ledger/alarms'
import { listLedgerChecks } from '@sluice/store/queries/ledger/ledger-checks'
import { missingKeys } from '@sluice/store/reseal'
import { loadChannels } from '@sluice/store/snapshots/channels'
import { loadOptions } from '@sluice/store/snapshots/options'
import type { Vault } from '@sluice/store/vault'
import type { Config } from '../environment/environment.ts'
import { createSmtpCheck } from '../messages/deliver-smtp.ts'
import { type AddressGuard, createAddressGuard, isPrivateAddress } from '../outbound/address-guard.ts'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { VERSION } from '../process/identity.ts'
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
import type { Examination } from './examination.ts'
import { readFolder, readMode, readSpace } from './folder-facts.ts'
import { type KnownReplica, knownReplicas } from './replica-facts.ts'
import { runChecks } from './run-checks.ts'

export interface DoctorParts {
  readonly config: Config
  readonly database: Database
  readonly vault: Vault
  /** For mail servers. */
  readonly guard: AddressGuard
  readonly fetchGuarded: FetchGuarded
  /** Name of this machine, with which the names of its replicas begin. */
  readonly machine: string
  /** Of a gateway that examines itself. */
  readonly ownFacts?: () => KnownReplica
  /** Unix milliseconds, by the clock that all replicas follow; this machine's own; and milliseconds that only increase. */
  readonly now: () => number
  readonly own: () => number
  readonly steady: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** 64 hex digits, another one each time. */
  readonly newValue: () => string
  readonly isDefaultPassword: (passwordHash: string) => Promise<boolean>
  /** Sends one request through a channel, which costs money; absent when no provider may be called. */
  readonly testChannel?: NonNullable<ChannelFacts['test']>
  readonly onError: (error: unknown, check: CheckName) => void
}

/** The console gives a call ten seconds. */
const EACH_MS = 7_000
const WEEK_MS = 7 * 86_400_000
const PROOFS = pageOf({ p: 0, size: 20 })
const ONE_ROW = pageOf({ p: 0, size: 1 })

/** Looks at everything that can be wrong with an installation, all at the same time, and changes nothing. */
export async function examine(parts: DoctorParts, signal: AbortSignal): Promise<Examination> {
  const { database, vault, now, steady, pause, onError } = parts
  const [begun, began] = [now(), steady()]
  const openSecret = (sealed: string): string | undefined => {
    const opened = vault.open('option', sealed)
    return opened.ok ? opened.text : undefined
  }
  const { options, problems } = readOptions(await loadOptions(database.kysely), openSecret)
  const checks = checksOf(parts, options, problems)
  const found = await runChecks(checks, { eachMs: EACH_MS, pause, signal, onError })
  return { version: VERSION, begun, elapsedMs: steady() - began, found }
}

/** In the order in which they are shown. What several of them read is read once. */
function checksOf(parts: DoctorParts, settings: Options, problems: readonly string[]): readonly Check[] {
  const { config, database, vault, guard, fetchGuarded, now, own, steady } = parts
  const db = database.kysely
  const options = (): Options => settings
  const channels = once(() => loadChannels(db))
  const replicas = once(() => knownBeside(parts))
  const overrides = createPriceOverrides(
    () => settings.PriceOverrides,
    () => {},
  )
  const [sealing, ...older] = [vault.keyId, ...vault.keyIds.filter((key) => key !== vault.keyId)] as const
  const ownAddress = {
    // Wherever channels may point, the gateway itself may be on a private network.
    guard: createAddressGuard('allow'),
    steady,
    newValue: parts.newValue,
    putOut: (hash: string, lifeMs: number) => putOutCall(database, hash, lifeMs),
    takeBack: (hash: string) => takeBackCall(db, hash),
    bodyLimit: config.bodyLimit,
  }
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
    // A server has tools of its own, of which nothing is known here.
    ...(database.engine === 'postgres' && config.backupTo === ''
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
    clockCheck({
      machine: parts.machine,
      own,
      steady,
      databaseTime: () => readDatabaseTime(database),
      newestRows: () => overview.newestRows(db),
      replicas,
    }),
    machineCheck(replicas),
    replicaCheck(replicas),
    keyCheck({ present: [sealing, ...older], lost: config.lostKeys, inUse: () => missingKeys(db, []) }),
    addressCheck({
      address: () => settings.ServerAddress,
      initialAddress: OPTION_DEFINITIONS.ServerAddress.default,
      host: config.host,
      trustedProxies: config.trustedProxies,
      basePath: config.basePath,
      bodyLimit: config.bodyLimit,
      ask: (address, signal) => askOwnAddress(ownAddress, address, signal),
      isRunning: async () => (await replicas()).length > 0,
      now,
    }),
    mailCheck({
      options,
      tryServer: createSmtpCheck({
        guard,
        isNearby: isPrivateAddress,
        verifyCertificate: config.smtpCertificate === 'verify',
      }),
      givenUp: () => overview.mailsGivenUpSince(db, now() - WEEK_MS),
    }),
    signInCheck({
      options,
      discover: async ({ OidcWellKnown: wellKnown, OidcClientId: id, OidcClientSecret: secret }, signal) => {
        const setup = await discover(fetchGuarded, { wellKnown, id, secret }, signal)
        return setup.ok ? '' : setup.reason
      },
    }),
    channelCheck({
      channels,
      switchedOff: () => overview.listSwitchedOff(db),
      vault,
      ...(parts.testChannel === undefined ? {} : { test: parts.testChannel }),
    }),
    modelCheck({
      channels,
      requestsSince: (day) => overview.requestsSince(db, day),
      options,
      overrides,
      openAlarms: async () => (await listAlarms(db, ONE_ROW)).total,
      now,
    }),
    accountCheck({
      powerfulUsers: () => overview.listPowerfulUsers(db),
      isDefaultPassword: parts.isDefaultPassword,
      host: config.host,
    }),
    settingCheck({ options, problems: () => problems }),
  ]
}

/** Live replicas, with what this process says about itself at this moment. */
async function knownBeside({ database, ownFacts }: DoctorParts): Promise<readonly KnownReplica[]> {
  const known = await knownReplicas(database)
  const self = ownFacts?.()
  return self === undefined ? known : [...known.filter(({ id }) => id !== self.id), self]
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => (reading ??= read())
}
