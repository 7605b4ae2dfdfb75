import type { Health } from '@sluice/routing/health'
import type { Database } from '@sluice/store/database'
import { listMeasuredChannels } from '@sluice/store/queries/channels/channel-metrics'
import type { GatewayInstruments } from './request-metrics.ts'

export interface StateSources {
  readonly database: Pick<Database, 'kysely'>
  readonly health: Pick<Health, 'views'>
  readonly typeName: (type: number) => string
  readonly openRequests: () => number
  readonly waitingRequests: () => number
  readonly isDraining: () => boolean
  readonly ledgerQueue: () => number
  readonly replicas: () => number
  /** Number of items that configuration files own but something else has changed. */
  readonly configurationDrift: () => number
  /** Undefined if no Valkey is configured. */
  readonly isValkeyUp: () => boolean | undefined
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Channels shown; the number of series in a metric family has its own limit. */
const CHANNELS = 900
/** How long a scrape waits for the database. */
const DATABASE_MS = 2_000
const MICROS = 1e6

/** Sets the gauges of the current state. Never rejects. */
export async function refreshState(metrics: GatewayInstruments, sources: StateSources): Promise<void> {
  metrics.openRequests.set(sources.openRequests())
  metrics.waitingRequests.set(sources.waitingRequests())
  metrics.draining.set(sources.isDraining() ? 1 : 0)
  metrics.ledgerQueue.set(sources.ledgerQueue())
  metrics.replicas.set(sources.replicas())
  metrics.configurationDrift.set(sources.configurationDrift())
  const isValkeyUp = sources.isValkeyUp()
  if (isValkeyUp !== undefined) metrics.valkeyUp.set(isValkeyUp ? 1 : 0)
  refreshLanes(metrics, sources)
  await refreshStored(metrics, sources)
}

function refreshLanes(metrics: GatewayInstruments, { health, now }: StateSources): void {
  const channels = Map.groupBy(health.views(now()), ({ channel }) => channel)
  metrics.lanes.clear()
  metrics.laneFailureRatio.clear()
  metrics.openCalls.clear()
  for (const [id, lanes] of channels) {
    const channel = String(id)
    for (const [kind, alike] of Map.groupBy(lanes, ({ standing }) => standing.kind)) {
      metrics.lanes.set(alike.length, channel, kind)
    }
    metrics.laneFailureRatio.set(Math.max(...lanes.map(({ failureRate }) => failureRate)), channel)
    metrics.openCalls.set(
      lanes.reduce((sum, { open }) => sum + open, 0),
      channel,
    )
  }
}

/** Metrics from the database, which are missing while it is unavailable. */
async function refreshStored(metrics: GatewayInstruments, { database, typeName }: StateSources): Promise<void> {
  const stored = listMeasuredChannels(database.kysely, CHANNELS)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, DATABASE_MS, undefined)
  })
  const channels = await Promise.race([stored.catch(() => undefined), late])
  clearTimeout(timer)
  for (const gauge of [metrics.channelInfo, metrics.channelStatus, metrics.channelBalance]) gauge.clear()
  metrics.databaseUp.set(channels === undefined ? 0 : 1)
  if (channels === undefined) return
  for (const { id, name, type, status, balanceMicros, balanceCurrency, balanceTime } of channels) {
    const channel = String(id)
    metrics.channelInfo.set(1, channel, name, typeName(type))
    metrics.channelStatus.set(status, channel)
    if (balanceTime > 0) metrics.channelBalance.set(balanceMicros / MICROS, channel, balanceCurrency)
  }
}
