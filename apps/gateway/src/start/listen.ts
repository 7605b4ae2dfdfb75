import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Refusal } from '@sluice/contract/errors'
import type { RunningCalls } from '@sluice/observe/running-call'
import type { Database } from '@sluice/store/database'
import { isCallOut } from '@sluice/store/queries/doctor/doctor-calls'
import type { Hono } from 'hono'
import { createArrivals } from '../doctor/arrivals.ts'
import { type Callers, createCallers } from '../edge/client-address.ts'
import { loadConsoleFiles } from '../edge/console-files.ts'
import { newRequestId } from '../edge/request-id.ts'
import { serveConsole } from '../edge/serve-console.ts'
import { type Edge, openEdge } from '../edge/server.ts'
import { databaseProblem } from '../environment/configured.ts'
import type { Examining } from '../management/doctor/doctor.ts'
import type { SignInLink } from '../management/sessions/sign-in-link.ts'
import { reportDropped } from '../process/open-files.ts'
import { bodyFor } from '../relay/client/refuse.ts'
import type { Data, Start } from './open-data.ts'
import { openManagement } from './open-management.ts'
import type { Traffic } from './open-traffic.ts'
import type { Upkeep } from './open-upkeep.ts'

export interface Front {
  readonly edge: Edge
  readonly address: AddressInfo
  /** False when the console has not been built; the API works without it. */
  readonly hasConsole: boolean
}

export interface Served {
  readonly runningCalls: RunningCalls
  readonly doctor: Examining
  readonly consoleDirectory: string
  readonly signInLink: SignInLink
}

/** Last stage: management API, console and relay on one port. */
export async function listen(
  start: Start,
  data: Data,
  upkeep: Upkeep,
  traffic: Traffic,
  { runningCalls, doctor, consoleDirectory, signInLink }: Served,
): Promise<Front> {
  const { config, log, opening } = start
  const { fileLimit, places, database, options, now, ledger } = data
  const { telemetry } = upkeep
  const { relay } = traffic
  const consoleFiles = await loadConsoleFiles(consoleDirectory, config.basePath)
  const callers = createCallers(config.trustedProxies)
  const { management, feed } = await openManagement(start, data, upkeep, traffic, {
    runningCalls,
    doctor,
    signInLink,
    callers,
  })
  const edge = openEdge({
    limits: { ...config, maxRequests: openRequestsFor(places.requests), maxConnections: places.connections },
    onDropped: reportDropped(log, fileLimit),
    basePath: config.basePath,
    callers,
    now,
    newId: newRequestId,
    relay: relay.handle,
    management: managementListener(management, database, callers),
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
  // Streams that never end on their own would delay the stop.
  opening.defer(() => feed.close())
  return { edge, address: await edge.listen(config.port, config.host), hasConsole: consoleFiles.size > 0 }
}

/** Serves the management API, and the doctor's calls from this or another replica to its own address. */
function managementListener(
  management: Hono,
  database: Database,
  callers: Callers,
): (request: IncomingMessage, reply: ServerResponse) => void {
  const serve = getRequestListener(management.fetch, { overrideGlobalObjects: false })
  const arrivals = createArrivals({ isOut: (hash) => isCallOut(database, hash), callers, pause: delay })
  return (request, reply) => {
    if (!arrivals.isFor(request)) return void serve(request, reply)
    // For a caller without the value, this path does not exist.
    void arrivals.serve(request, reply).then((served) => {
      if (!served) void serve(request, reply)
    })
  }
}

/** The reason to refuse requests before any work: charges cannot be made durable, or too many are waiting. */
function ledgerOverload(isStuck: boolean, isFull: boolean, mostWaiting: number): Refusal | undefined {
  if (isStuck) return { code: 'ledger_unavailable', retryAfter: 2 }
  if (!isFull) return undefined
  return { code: 'overloaded', params: { limit: `${mostWaiting} waiting charges` }, retryAfter: 1 }
}

/**
 * Open requests for this many in progress: as many can wait for a slot, and as many again can arrive before their callers are
 * known.
 */
function openRequestsFor(underWay: number): number {
  return underWay * 3
}
