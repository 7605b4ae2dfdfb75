import { randomBytes } from 'node:crypto'
import { systemTimers } from '@sluice/ledger/timers'
import { type AlarmRecorder, openAlarmRecorder } from '@sluice/observe/alarm-recorder'
import { type ChannelHistory, openChannelHistory } from '@sluice/observe/channel-history'
import { kindOf } from '@sluice/providers/kinds/all'
import { openDatabaseFileWatch } from '@sluice/store/sqlite/file-watch'
import { runBackupProcess } from '../backup/backup-process.ts'
import { placeProblem } from '../backup/place-of.ts'
import { newRequestId } from '../edge/request-id.ts'
import { StartProblem } from '../environment/configured.ts'
import { openBackupSchedule } from '../jobs/backup-schedule.ts'
import { type LedgerChecks, openLedgerChecks } from '../jobs/ledger-checks.ts'
import { openTransferMonths } from '../jobs/transfer-months.ts'
import { type Messages, openMessages } from '../messages/open-messages.ts'
import { type AddressGuard, createAddressGuard } from '../outbound/address-guard.ts'
import { openGuardedClient } from '../outbound/guarded-client.ts'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { VERSION } from '../process/identity.ts'
import { openTelemetry, type Telemetry, type TelemetryParts } from '../telemetry/telemetry.ts'
import { openConfigurationDrift } from './configuration-drift.ts'
import type { Data, Start } from './open-data.ts'

/** The work alongside the requests: messages, proofs of the ledger, alarms, history, telemetry. */
export interface Upkeep {
  readonly guard: AddressGuard
  readonly fetchGuarded: FetchGuarded
  readonly messages: Messages
  readonly ledgerChecks: LedgerChecks
  readonly alarms: AlarmRecorder
  readonly history: ChannelHistory
  readonly telemetry: Telemetry
}

export type Load = Pick<TelemetryParts, 'openRequests' | 'waitingRequests' | 'isDraining'>

/** Second stage. */
export async function openUpkeep(start: Start, data: Data, load: Load): Promise<Upkeep> {
  const { config, log, opening } = start
  const { database, vault, options, now, replica } = data
  const guard = createAddressGuard(config.upstreamPrivate)
  const guarded = openGuardedClient(guard)
  opening.defer(() => guarded.close())
  const messages = openMessages({
    database,
    vault,
    options,
    log,
    now,
    random: Math.random,
    fetchGuarded: guarded.fetch,
    guard,
    verifyMailCertificate: config.smtpCertificate === 'verify',
    newId: newRequestId,
  })
  opening.defer(() => messages.close())
  await watchDatabaseFile(start, database, messages)
  const ledgerChecks = openLedgerChecks({
    database,
    replica,
    hour: config.ledgerCheckHour,
    now,
    timers: systemTimers,
    notify: messages.notify,
    log,
  })
  opening.defer(() => ledgerChecks.close())
  openBackups(start, data, messages)
  const months = openTransferMonths({ database, timers: systemTimers, now, log })
  opening.defer(() => months.close())
  const { alarms, history } = openRecorders(start, data)
  const telemetry = openMeasurement(start, data, load)
  return { guard, fetchGuarded: guarded.fetch, messages, ledgerChecks, alarms, history, telemetry }
}

function openRecorders({ log, opening }: Start, { database, now }: Data): Pick<Upkeep, 'alarms' | 'history'> {
  const alarms = openAlarmRecorder({
    database,
    every,
    now,
    onError: (error) => log.error({ error }, 'alarms could not be written'),
  })
  opening.defer(() => alarms.close())
  const history = openChannelHistory({
    database,
    every,
    now,
    onError: (error) => log.error({ error }, 'the history of channels could not be written'),
  })
  opening.defer(() => history.close())
  return { alarms, history }
}

function openMeasurement({ config, log, opening }: Start, data: Data, load: Load): Telemetry {
  const { database, vault, ledger, now, replica, sharing } = data
  // The collector is the operator's own machine, whatever the policy for channels.
  const collector = openGuardedClient(createAddressGuard('allow'))
  opening.defer(() => collector.close())
  const drift = openConfigurationDrift({ config, database, vault, now, log, every })
  opening.defer(() => drift.close())
  const telemetry = openTelemetry({
    ...load,
    config,
    database,
    health: sharing.health,
    replica,
    log,
    version: VERSION,
    timers: systemTimers,
    now,
    fetchGuarded: collector.fetch,
    newSpanId: () => randomBytes(8).toString('hex'),
    typeName: (type) => kindOf(type)?.name ?? String(type),
    ledgerQueue: () => ledger.backlog,
    replicas: sharing.replicas.count,
    configurationDrift: drift.count,
    isValkeyUp: () => sharing.valkey?.usable,
  })
  opening.defer(() => telemetry.close())
  return telemetry
}

async function watchDatabaseFile(
  { log, opening, onFatal }: Start,
  database: Data['database'],
  messages: Messages,
): Promise<void> {
  if (database.engine !== 'sqlite') return
  const files = await openDatabaseFileWatch({
    file: database.file,
    every,
    onReplaced: (path) => {
      log.error(
        { path },
        'a file of the database was deleted or replaced; the gateway is stopping to write back its data',
      )
      void messages.notify({ kind: 'database_replaced', path })
      onFatal()
    },
  })
  opening.defer(() => files.close())
}

function openBackups({ config, log, opening }: Start, { database, replica, now }: Data, messages: Messages): void {
  if (config.backupTo === '') return
  const problem = placeProblem(config, config.backupTo)
  if (problem !== undefined) throw new StartProblem(problem)
  const backups = openBackupSchedule({
    database,
    replica,
    place: config.backupTo,
    everyMs: config.backupEveryMs,
    make: runBackupProcess,
    now,
    timers: systemTimers,
    notify: messages.notify,
    log,
  })
  opening.defer(() => backups.close())
}

function every(ms: number, run: () => void): () => void {
  return systemTimers.every(ms, run)
}
