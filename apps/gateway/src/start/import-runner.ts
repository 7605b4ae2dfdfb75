import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { systemTimers } from '@sluice/ledger/timers'
import { mqFromQuota } from '@sluice/ledger/units'
import type { Database } from '@sluice/store/database'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { newRequestId } from '../edge/request-id.ts'
import {
  openConfiguredClock,
  openConfiguredLedger,
  openConfiguredVault,
  openMigrated,
} from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { createImportRunner, type ImportRunner } from '../import/import-runner.ts'
import { optionsOf, proveLedger } from '../jobs/prove-ledger.ts'
import { type ChannelKinds, createChannelKinds } from '../management/channel-kinds.ts'
import { planNew } from '../management/channels/channel-changes.ts'
import type { Importing } from '../management/imports/imports.ts'
import { createPasswords } from '../management/sessions/passwords.ts'
import { DEFAULT_ROOT_PASSWORD, ensureRoot } from '../management/sessions/root-account.ts'
import { type AddressGuard, createAddressGuard } from '../outbound/address-guard.ts'
import { replicaName } from '../process/identity.ts'
import type { Log } from '../process/logger.ts'
import type { Data } from './open-data.ts'
import type { Background } from './open-traffic.ts'

export function importRunnerOf(
  { database, ledger, vault, now, replica }: Pick<Data, 'database' | 'ledger' | 'vault' | 'now' | 'replica'>,
  {
    config,
    guard,
    kinds,
  }: { readonly config: Config; readonly guard: Pick<AddressGuard, 'allows'>; readonly kinds: ChannelKinds },
): ImportRunner {
  const passwords = createPasswords(randomBytes)
  return createImportRunner({
    database,
    ledger,
    vault,
    now,
    replica,
    timers: systemTimers,
    directory: join(config.dataDir, 'import-copies'),
    planChannel: (form) => {
      const { callerKeyOrigins } = config
      return planNew({ kinds, callerKeyOrigins, isHostAllowed: (host) => isIP(host) === 0 || guard.allows(host) }, form)
    },
    isUnsetPassword: async (hash) => hash === '' || (await passwords.verify(DEFAULT_ROOT_PASSWORD, hash)) === true,
    prove: async () => await proveHere(database, now),
  })
}

export function importingOf(runner: ImportRunner, { run: inBackground }: Pick<Background, 'run'>): Importing {
  return {
    start: async ({ source, mode, choices: { leave_out: leaveOut, name, ...choices }, startedBy, ended }) => {
      const begun = await runner.begin({
        ...('file' in source ? { source: source.file, label: source.label } : { source: source.address }),
        mode,
        name,
        choices: { ...choices, leaveOut },
        startedBy,
      })
      if (begun === 'busy') return 'busy'
      inBackground(async (signal) => {
        try {
          await begun.run(signal)
        } finally {
          ended?.()
        }
      })
      return begun.id
    },
    stop: () => runner.stop(),
  }
}

/** The runner for a command, with its own database and ledger. `onDead` is called when other replicas have declared it dead. */
export async function openImportRunner(
  config: Config,
  log: Log,
  { tell, onDead }: { readonly tell: (sentence: string) => void; readonly onDead: () => void },
): Promise<ImportRunner & AsyncDisposable> {
  await using opening = new AsyncDisposableStack()
  const database = await openMigrated(config, tell)
  opening.defer(() => database.close())
  const clock = await openConfiguredClock(database, log)
  opening.defer(() => clock.close())
  const { now } = clock
  const vault = await openConfiguredVault(config, database)
  const replica = replicaName(newRequestId())
  const ledger = await openConfiguredLedger(config, database, {
    replica,
    now,
    remindBelow: () => mqFromQuota(0),
    log,
    onDead,
    onCharged: () => {},
  })
  opening.defer(() => ledger.close())
  await ensureRoot({ database, ledger, now, randomBytes }, config.rootPassword, config.firstSignIn)
  const runner = importRunnerOf(
    { database, ledger, vault, now, replica },
    { config, guard: createAddressGuard(config.upstreamPrivate), kinds: createChannelKinds(now, () => '') },
  )
  const opened = opening.move()
  return { ...runner, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function proveHere(database: Database, now: () => number) {
  const reads = await openSnapshotReads(database)
  try {
    const options = await optionsOf(database.kysely, 'incremental', now())
    const lines: { id: string; statement: string; ok: boolean }[] = []
    for await (const { id, statement, firstWrong } of proveLedger(reads, options, now)) {
      lines.push({ id, statement, ok: firstWrong === undefined })
    }
    return lines
  } finally {
    await reads.close()
  }
}
