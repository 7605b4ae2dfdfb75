import { randomBytes } from 'node:crypto'
import { type AddressInfo, isIP } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { systemTimers } from '@sluice/ledger/timers'
import type { RunningCalls } from '@sluice/observe/running-call'
import { freeBytesOf } from '@sluice/store/free-bytes'
import { isCallOut } from '@sluice/store/queries/doctor/doctor-calls'
import type { Context } from 'hono'
import { createArrivals } from '../doctor/arrivals.ts'
import { createCallers } from '../edge/client-address.ts'
import { loadConsoleFiles } from '../edge/console-files.ts'
import { ledgerOverload, openRequestsFor } from '../edge/overload.ts'
import { newRequestId } from '../edge/request-id.ts'
import { serveConsole } from '../edge/serve-console.ts'
import { openEdge, type Edge } from '../edge/server.ts'
import { databaseProblem } from '../environment/configured.ts'
import type { Examining } from '../management/doctor/doctor.ts'
import { TURNSTILE_ADDRESS } from '../management/identity/bot-challenge.ts'
import { openUploads } from '../management/imports/uploads.ts'
import { openRunningFeed } from '../management/logs/running-feed.ts'
import { createManagement } from '../management/management.ts'
import type { SignInLink } from '../management/sessions/sign-in-link.ts'
import { VERSION } from '../process/identity.ts'
import { reportDropped } from '../process/open-files.ts'
import { bodyFor } from '../relay/client/refuse.ts'
import { PROVIDER_ADDRESSES } from '../sign-in-providers/provider.ts'
import { createSignInProviders } from '../sign-in-providers/sign-in-providers.ts'
import { importingOf, importRunnerOf } from './import-runner.ts'
import type { Data, Start } from './open-data.ts'
import type { Traffic } from './open-traffic.ts'
import type { Upkeep } from './open-upkeep.ts'
import { remoteConfigurationOf } from './remote-configuration.ts'

/** The open port. */
export interface Front {
  readonly edge: Edge
  readonly address: AddressInfo
  /** False when the console has not been built; the API works without it. */
  readonly hasConsole: boolean
}

/** What else is served on the port. */
export interface Served {
  readonly runningCalls: RunningCalls
  readonly doctor: Examining
  /** The built console. */
  readonly consoleDirectory: string
  readonly signInLink: SignInLink
}

/** Last stage: management API, console and relay on one port. */
export async function listen(
  { config, log, opening }: Start,
  { fileLimit, places, database, vault, options, now, ledger, sharing, replica }: Data,
  { guard, fetchGuarded, messages, ledgerChecks, telemetry }: Upkeep,
  { relay, guard: tokenGuard, background, kinds, channelTests, channelBalances, latestRefusals }: Traffic,
  { runningCalls, doctor, consoleDirectory, signInLink }: Served,
): Promise<Front> {
  const consoleFiles = await loadConsoleFiles(consoleDirectory, config.basePath)
  const { health, versions } = sharing
  const callers = createCallers(config.trustedProxies)
  const clientAddress = (context: Context) => callers.addressOf(incomingOf(context))
  const uploads = await openUploads({
    directory: join(config.dataDir, 'import'),
    newId: () => randomBytes(16).toString('hex'),
    now,
    timers: systemTimers,
    freeBytes: freeBytesOf,
    onError: (error) => log.error({ error }, 'an uploaded file could not be removed'),
  })
  opening.defer(() => uploads.close())
  const importing = importingOf(
    importRunnerOf({ database, ledger, vault, now, replica }, { config, guard, kinds }),
    background,
  )
  const feed = openRunningFeed({
    calls: runningCalls,
    now,
    timers: systemTimers,
    onError: (error) => log.error({ error }, 'the running calls could not be listed'),
  })
  const management = createManagement({
    running: { calls: runningCalls, feed },
    onReleased: (pause) => tokenGuard.released(pause),
    database,
    vault,
    ledger,
    ledgerChecks,
    channelTests,
    channelBalances,
    latestRefusals,
    uploads,
    importing,
    doctor,
    configuration: remoteConfigurationOf(config, { database, vault, now }, (channel) => health.forget(channel)),
    versions,
    options,
    signInLink,
    now,
    randomBytes,
    newId: newRequestId,
    testDraft: relay.testDraft,
    routing: { explain: relay.explain, lanes: relay.lanes, forget: (channel) => health.forget(channel) },
    enqueueMail: messages.enqueueMail,
    signInProviders: createSignInProviders({ fetchGuarded, options, addresses: PROVIDER_ADDRESSES, now }),
    holderOfKey: (context) =>
      relay.holderOfKey({
        headers: incomingOf(context).headers,
        client: clientAddress(context),
        path: context.req.path,
        query: new URL(context.req.url).search.slice(1),
      }),
    fetchGuarded,
    turnstileAddress: TURNSTILE_ADDRESS,
    clientAddress,
    isSecure: (context) => callers.isSecure(incomingOf(context)),
    basePath: config.basePath,
    version: VERSION,
    releaseFeed: config.releaseFeed,
    publicRateLimit: config.publicRateLimit,
    startTime: Math.floor(now() / 1_000),
    kinds,
    callerKeyOrigins: config.callerKeyOrigins,
    isHostAllowed: (host) => isIP(host) === 0 || guard.allows(host),
    inBackground: background.run,
    report: (error, { method, path }) => log.error({ error, method, path }, 'a management call failed unexpectedly'),
  })
  const listenForManagement = getRequestListener(management.fetch, { overrideGlobalObjects: false })
  const arrivals = createArrivals({ isOut: (hash) => isCallOut(database, hash), callers, pause: delay })
  const edge = openEdge({
    limits: { ...config, maxRequests: openRequestsFor(places.requests), maxConnections: places.connections },
    onDropped: reportDropped(log, fileLimit),
    basePath: config.basePath,
    callers,
    now,
    newId: newRequestId,
    relay: relay.handle,
    management: (request, reply) => {
      if (!arrivals.isFor(request)) return void listenForManagement(request, reply)
      // To whoever does not know the value there is no such path.
      void arrivals.serve(request, reply).then((served) => {
        if (!served) void listenForManagement(request, reply)
      })
    },
    metrics: telemetry.serveMetrics,
    refusalBody: bodyFor,
    onRefused: telemetry.onRefused,
    console: (request, reply, path, id) =>
      serveConsole(consoleFiles, request, reply, path, id, { challengeOn: () => options().TurnstileCheckEnabled }),
    databaseProblem: () => databaseProblem(database),
    overload: () => ledgerOverload(ledger.stuck, ledger.backlog >= config.ledgerQueue, config.ledgerQueue),
    log,
  })
  opening.defer(async () => {
    const { drainTimeoutMs, drainDelayMs } = config
    const cut = await edge.close(drainTimeoutMs, drainDelayMs)
    if (cut > 0) log.warn({ cut }, 'answers were cut off because the time to finish them ran out')
  })
  // Streams that never end on their own would hold up the stop.
  opening.defer(() => feed.close())
  return { edge, address: await edge.listen(config.port, config.host), hasConsole: consoleFiles.size > 0 }
}

const incomingOf = (context: Context): HttpBindings['incoming'] => (context.env as HttpBindings).incoming
