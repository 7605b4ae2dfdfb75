import { randomBytes } from 'node:crypto'
import { type AddressInfo, isIP } from 'node:net'
import { join } from 'node:path'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { openSharing } from '@sluice/coordination/sharing/open-sharing'
import { watchVersions } from '@sluice/coordination/snapshot-versions'
import { systemTimers } from '@sluice/ledger/timers'
import { mqFromQuota } from '@sluice/ledger/units'
import { openAlarmRecorder } from '@sluice/observe/alarm-recorder'
import { openChannelHistory } from '@sluice/observe/channel-history'
import { kindOf } from '@sluice/providers/kinds'
import { createHealth } from '@sluice/routing/lane-health'
import { readVersions } from '@sluice/store/snapshots/versions'
import { watchDatabaseFiles } from '@sluice/store/sqlite/file-watch'
import type { Context } from 'hono'
import packageFile from '../package.json' with { type: 'json' }
import { createBackground } from './background.ts'
import { channelKinds } from './channel-kinds.ts'
import { openChannelSwitch } from './channel-switch/channel-switch.ts'
import type { Config } from './config.ts'
import {
  databaseProblem,
  openConfiguredClock,
  openConfiguredLedger,
  openConfiguredVault,
  openMigrated,
} from './configured.ts'
import { loadConsoleFiles } from './edge/console-files.ts'
import { newRequestId } from './edge/request-id.ts'
import { createEdge, type Edge } from './edge/server.ts'
import { watchEndingModels } from './ending-models.ts'
import { openChannelSchedule } from './jobs/channel-schedule.ts'
import { openLedgerChecks } from './jobs/ledger-checks.ts'
import { keepTransferMonths } from './jobs/transfer-months.ts'
import type { Log } from './logger.ts'
import { openGiftPayments } from './management/account/gifts.ts'
import { createChannelBalances } from './management/channels/channel-balance.ts'
import { createChannelTests } from './management/channels/channel-test.ts'
import { TURNSTILE_ADDRESS } from './management/identity/bot-challenge.ts'
import { createManagement } from './management/management.ts'
import { ensureRoot, type RootAccount } from './management/sessions/root-account.ts'
import { openMessages } from './messages/open-messages.ts'
import { openFileLimit, placesWithin } from './open-files.ts'
import { followOptions } from './option-snapshot.ts'
import { addressGuard } from './outbound/address-guard.ts'
import { openOutside } from './outbound/fetch-outside.ts'
import { finishedCharge } from './relay/finished.ts'
import { openRelay } from './relay/open-relay.ts'
import type { Probe } from './relay/probe.ts'
import { bodyFor } from './relay/refuse.ts'
import { replicaName } from './replica.ts'
import { PROVIDER_ADDRESSES } from './sign-in-providers/provider.ts'
import { createSignInProviders } from './sign-in-providers/sign-in-providers.ts'
import { openTelemetry } from './telemetry/telemetry.ts'

export const VERSION: string = packageFile.version

const CONSOLE_DIRECTORY = join(import.meta.dirname, '..', '..', 'console', 'dist')

/** Ways to providers whose health is remembered: channels times keys times models. */
const KNOWN_LANES = 50_000
/** Keys of limits in use at the same time: tokens, users, addresses. */
const LIMITED_KEYS = 100_000

/** A gateway that takes requests. */
export interface Gateway {
  readonly address: AddressInfo
  readonly root: RootAccount
  /** False when the console has not been built; the API works without it. */
  readonly hasConsole: boolean
  /** Lets running answers finish, settles everything, and closes what was opened. */
  close(): Promise<void>
}

/**
 * Wires every part; the only file that knows them all. `onFatal` is called when the process must end: other replicas have
 * given it up for dead, or the files of its database were replaced.
 */
export async function startGateway(config: Config, log: Log, onFatal: () => void): Promise<Gateway> {
  // Closed in the reverse order, whether the start fails or the gateway is stopped later.
  await using opening = new AsyncDisposableStack()
  const files = openFileLimit()
  const places = placesWithin(files, config.maxRequests)
  if (places.requests < config.maxRequests) {
    log.warn(
      { limit: files, requests: places.requests, wanted: config.maxRequests, enough: places.enough },
      'fewer requests at the same time than SLUICE_MAX_REQUESTS, since too few files may be open (ulimit -n)',
    )
  }
  const database = await openMigrated(config, (sentence) => log.warn({}, sentence))
  opening.defer(() => database.close())
  const clock = await openConfiguredClock(database, log)
  opening.defer(() => clock.close())
  const { now } = clock
  const vault = await openConfiguredVault(config, database)
  const watch = watchVersions({
    read: () => readVersions(database.kysely),
    known: await readVersions(database.kysely),
    pollMs: config.syncIntervalMs,
    random: Math.random,
    onError: (error) => log.error({ error }, 'changes could not be looked for'),
  })
  opening.defer(() => watch.close())
  const options = await followOptions(database, vault, watch, log)
  const replica = replicaName(newRequestId())
  const remindBelow = () => mqFromQuota(options().QuotaRemindThreshold)
  const ledger = await openConfiguredLedger(config, database, {
    replica,
    now,
    remindBelow,
    log,
    onDead: onFatal,
    onCharged: (settlement) => telemetry.onCharged?.(finishedCharge(settlement)),
  })
  opening.defer(() => ledger.close())
  const sharing = await openSharing({
    database,
    replica,
    valkeyUrl: config.valkeyUrl,
    health: createHealth({ capacity: KNOWN_LANES, random: Math.random }),
    versions: watch,
    capacity: LIMITED_KEYS,
    now,
    random: Math.random,
    every: (ms, run) => systemTimers.every(ms, run),
    onValkeyUp: () => log.info({}, 'Valkey is used'),
    onValkeyDown: (reason) => log.warn({ reason }, 'Valkey cannot be used; this process decides by itself meanwhile'),
    onError: (error) => log.error({ error }, 'what replicas share could not be read or written'),
  })
  opening.defer(() => sharing.close())
  if (config.valkeyUrl !== '' && database.engine === 'sqlite') {
    log.warn({}, 'Valkey is not used: on SQLite there is one process, which needs nobody to share with')
  }
  const { health, versions } = sharing
  const root = await ensureRoot({ database, ledger, now, randomBytes }, config.rootPassword)
  const guard = addressGuard(config.upstreamPrivate)
  const outside = openOutside(guard)
  opening.defer(() => outside.close())
  const times = { now, random: Math.random }
  const shared = { database, vault, ledger, options, log, ...times }
  const messages = openMessages({
    ...shared,
    fetchOutside: outside.fetch,
    guard,
    verifyMailCertificate: config.smtpCertificate === 'verify',
    newId: newRequestId,
  })
  opening.defer(() => messages.close())
  if (database.engine === 'sqlite') {
    const files = await watchDatabaseFiles({
      file: database.file,
      every: (ms, run) => systemTimers.every(ms, run),
      onReplaced: (path) => {
        log.error(
          { path },
          'a file of the database was deleted or replaced; the gateway stops to write back what it holds',
        )
        void messages.notify({ kind: 'database_replaced', path })
        onFatal()
      },
    })
    opening.defer(() => files.close())
  }
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
  const months = keepTransferMonths({ database, timers: systemTimers, now, log })
  opening.defer(() => months.close())
  const alarms = openAlarmRecorder({
    database,
    every: (ms, run) => systemTimers.every(ms, run),
    now,
    onError: (error) => log.error({ error }, 'alarms could not be written'),
  })
  opening.defer(() => alarms.close())
  const history = openChannelHistory({
    database,
    every: (ms, run) => systemTimers.every(ms, run),
    now,
    onError: (error) => log.error({ error }, 'the history of channels could not be written'),
  })
  opening.defer(() => history.close())
  // The collector is the operator's own machine, whatever channels may point at.
  const collector = openOutside(addressGuard('allow'))
  opening.defer(() => collector.close())
  const telemetry = openTelemetry({
    config,
    database,
    health,
    replica,
    log,
    version: VERSION,
    timers: systemTimers,
    now,
    fetchOutside: collector.fetch,
    newSpanId: () => randomBytes(8).toString('hex'),
    typeName: (type) => kindOf(type)?.name ?? String(type),
    openRequests: () => relay.places.running,
    waitingRequests: () => relay.places.waiting,
    isDraining: () => edge.exchanges.draining,
    ledgerQueue: () => ledger.backlog,
    replicas: sharing.replicas.count,
    isValkeyUp: () => sharing.valkey?.usable,
  })
  opening.defer(() => telemetry.close())
  const forget = (channel: number): void => health.forget(channel)
  const ofChannels = { ...shared, versions, notify: messages.notify, forget, timers: systemTimers }
  const channelSwitch = openChannelSwitch(ofChannels)
  opening.defer(() => channelSwitch.close())
  const relay = await openRelay({
    ...shared,
    health,
    limits: sharing.limits,
    shareOf: () => 1 / sharing.replicas.count(),
    onFinished: telemetry.onFinished,
    onRefused: telemetry.onRefused,
    onCalled: (call) => {
      telemetry.onCalled(call)
      history.count({ channel: call.channel, cause: call.cause, ended: call.started + call.elapsedMs })
      // What is guessed each replica guesses for itself.
      if (call.rest !== undefined && call.rest.isGuess !== true) sharing.told(call.rest)
      channelSwitch.onCalled(call)
    },
    newId: newRequestId,
    fetchOutside: outside.fetch,
    versions,
    config: { ...config, maxRequests: places.requests },
    onUnpriced: ({ channel, model }) => alarms.raise({ kind: 'unpriced_model', subject: model, channelId: channel }),
    onCharged: watchEndingModels((event) => alarms.raise(event), now),
    onUncharged: ({ channel, model, unit }) =>
      alarms.raise({ kind: 'unpriced_unit', subject: `${model}: ${unit}`, channelId: channel }),
  })
  opening.defer(() => relay.close())
  const background = createBackground((error) => log.error({ error }, 'work in the background failed'))
  opening.defer(() => background.close())
  const kinds = channelKinds(now)
  const probeChannel: Probe = async (channel, model, signal, key) => {
    const result = await relay.probe(channel, model, signal, key)
    const cause = result.ok ? 'answered' : (result.cause ?? 'provider')
    // A test of one key of several says little about the channel.
    if (key === undefined) history.count({ channel, cause, ended: now() })
    return result
  }
  const channelJobs = { ...ofChannels, kinds, replica, inBackground: background.run, probeChannel }
  const channelTests = createChannelTests(channelJobs)
  const channelBalances = createChannelBalances({ ...channelJobs, fetchOutside: outside.fetch })
  const channelSchedule = openChannelSchedule({
    options,
    tests: channelTests,
    balances: channelBalances,
    timers: systemTimers,
    now,
    log,
  })
  opening.defer(() => channelSchedule.close())
  const giftPayments = openGiftPayments({
    database,
    ledger,
    now,
    timers: systemTimers,
    onError: (error) => log.error({ error }, 'gifts could not be paid; they are tried again'),
  })
  opening.defer(() => giftPayments.close())
  const consoleFiles = await loadConsoleFiles(CONSOLE_DIRECTORY)
  const management = createManagement({
    database,
    vault,
    ledger,
    ledgerChecks,
    channelTests,
    channelBalances,
    versions,
    options,
    now,
    randomBytes,
    newId: newRequestId,
    probeChannel,
    probeDraft: relay.probeDraft,
    routing: { explain: relay.explain, lanes: relay.lanes, forget },
    enqueueMail: messages.enqueueMail,
    notify: messages.notify,
    signInProviders: createSignInProviders({
      fetchOutside: outside.fetch,
      options,
      addresses: PROVIDER_ADDRESSES,
      now,
    }),
    holderOfKey: (context) => {
      const { headers } = incomingOf(context)
      return relay.holderOfKey({ headers, client: edge.clientAddress(incomingOf(context)) })
    },
    fetchOutside: outside.fetch,
    turnstileAddress: TURNSTILE_ADDRESS,
    clientAddress: (context) => edge.clientAddress(incomingOf(context)),
    isSecure: (context) => edge.isSecure(incomingOf(context)),
    version: VERSION,
    releaseFeed: config.releaseFeed,
    startTime: Math.floor(now() / 1_000),
    kinds,
    isHostAllowed: (host) => isIP(host) === 0 || guard.allows(host),
    inBackground: background.run,
    report: (error, { method, path }) => log.error({ error, method, path }, 'a management call failed unexpectedly'),
  })
  const listenForManagement = getRequestListener(management.fetch, { overrideGlobalObjects: false })
  const edge: Edge = createEdge({
    // As many as are under way may wait, and as many be on their way to a place: whose they are is not known here.
    limits: { ...config, maxRequests: places.requests * 3, maxConnections: places.connections },
    onDropped: (count) =>
      log.error(
        { count, limit: files },
        'connections were closed as they came, since no more files may be open (EMFILE)',
      ),
    trustedProxies: config.trustedProxies,
    now,
    newId: newRequestId,
    relay: relay.handle,
    management: (request, reply) => void listenForManagement(request, reply),
    metrics: telemetry.serveMetrics,
    refusalBody: bodyFor,
    onRefused: telemetry.onRefused,
    consoleFiles,
    consoleSettings: { challengeOn: () => options().TurnstileCheckEnabled },
    databaseProblem: () => databaseProblem(database),
    overload: () => {
      if (ledger.stuck) return { code: 'ledger_unavailable', retryAfter: 2 }
      if (ledger.backlog < config.ledgerQueue) return undefined
      return { code: 'overloaded', params: { limit: `${config.ledgerQueue} waiting charges` }, retryAfter: 1 }
    },
    log,
  })
  opening.defer(async () => {
    const cut = await edge.close(config.drainTimeoutMs, config.drainDelayMs)
    if (cut > 0) log.warn({ cut }, 'answers were cut, because the time to finish them was over')
  })
  const address = await edge.listen(config.port, config.host)
  const opened = opening.move()
  return { address, root, hasConsole: consoleFiles.size > 0, close: () => opened.disposeAsync() }
}

const incomingOf = (context: Context): HttpBindings['incoming'] => (context.env as HttpBindings).incoming
