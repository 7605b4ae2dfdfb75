import type { AddressInfo } from 'node:net'
import type { MessagePort } from 'node:worker_threads'
import type { Limits } from '@sluice/coordination/limits'
import { systemTimers } from '@sluice/ledger/timers'
import type { RunningCall } from '@sluice/observe/running-call'
import type { Cooldown } from '@sluice/routing/health'
import { createHealth } from '@sluice/routing/lane-health'
import type { SnapshotName } from '@sluice/store/snapshots/versions'
import type { Config } from '../config.ts'
import { openGivenVault } from '../configured.ts'
import { createCallers } from '../edge/client-address.ts'
import { ledgerOverload, openRequestsFor } from '../edge/overload.ts'
import { newRequestId } from '../edge/request-id.ts'
import { openEdge, type Edge } from '../edge/server.ts'
import { createLog } from '../logger.ts'
import { reportDropped } from '../open-files.ts'
import { createOptionSnapshot } from '../option-snapshot.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { openGuardedClient } from '../outbound/guarded-client.ts'
import type { HeardOutput } from '../relay/charge/unseen-output.ts'
import { bodyFor } from '../relay/client/refuse.ts'
import { openRelay, type Relay, type RelayRows } from '../relay/open-relay.ts'
import { createAnnouncedVersions } from './announced-versions.ts'
import { openForwarding } from './forward.ts'
import { type Link, openLink } from './link.ts'
import type { MainServices, RatesName } from './main-services.ts'
import { createRemoteLedger } from './remote-ledger.ts'

/** What the main thread tells all relay threads when it changes. */
export interface SharedState {
  /** Charges cannot be made durable at the moment. */
  readonly isStuck: boolean
  /** More charges wait than may wait. */
  readonly isFull: boolean
  /** Other replicas have given this process up for dead. */
  readonly isDead: boolean
  /** How much the time of the database is ahead of this machine's, in milliseconds. */
  readonly aheadMs: number
}

/** What a relay thread begins with. */
export interface RelayThreadStart {
  /** Capacities are those of this thread. */
  readonly config: Config
  readonly maxConnections: number
  /** Files that the whole process can have open. */
  readonly fileLimit: number
  readonly state: SharedState
  /** Whether finished requests are reported. */
  readonly isMeasured: boolean
  /** Where the main thread listens for everything that is not a relayed call. */
  readonly socketPath: string
  /** Lanes whose health is tracked. */
  readonly knownLanes: number
}

/** What the main thread calls in a relay thread. */
export type ThreadServices = {
  readonly listen: (port: number, host: string) => Promise<AddressInfo>
  readonly changed: (name: SnapshotName) => Promise<void>
  readonly adopt: (cooldown: Cooldown, cooldownMs: number | undefined) => void
  readonly forget: (channel: number) => void
  readonly share: (state: SharedState) => void
  readonly hear: (heard: HeardOutput) => void
  readonly listRunning: (userId: number | undefined, most: number) => Promise<readonly RunningCall[]>
  readonly stopRunning: (id: string, userId: number | undefined) => Promise<boolean>
  /** As `Edge.close`, and closes the relay. */
  readonly close: (timeoutMs: number, delayMs: number) => Promise<number>
}

/** How often the main thread is told how much there is to do. */
const LOAD_MS = 1_000

/** The paid path in a thread of its own, with its own port, connections to providers, caches and health of lanes. */
export function openRelayThread(port: MessagePort, start: RelayThreadStart): void {
  const { config } = start
  const log = createLog(config.logLevel)
  let { state } = start
  const health = createHealth({ capacity: start.knownLanes, random: Math.random })
  const versions = createAnnouncedVersions()
  const services: ThreadServices = {
    listen: async (number, host) => await (await opening).edge.listen(number, host, true),
    changed: async (name) => {
      // What was read before this change is read once more.
      await opening
      await versions.changed(name)
    },
    adopt: (cooldown, cooldownMs) => health.adopt(cooldown, cooldownMs),
    forget: (channel) => health.forget(channel),
    share: (next) => void (state = next),
    hear: (heard) => void opening.then(({ relay }) => relay.hear(heard)),
    listRunning: async (userId, most) => (await opening).relay.inFlight.list(userId, most),
    stopRunning: async (id, userId) => (await opening).relay.inFlight.stop(id, userId),
    close: async (timeoutMs, delayMs) => await (await opening).close(timeoutMs, delayMs),
  }
  const link = openLink<MainServices>(port, services, (error) => log.error({ error }, 'a message failed unexpectedly'))
  const opening = open()
  // The main thread is told when it calls `listen`.
  opening.catch(() => {})

  async function open(): Promise<{
    readonly edge: Edge
    readonly relay: Relay
    close: (timeoutMs: number, delayMs: number) => Promise<number>
  }> {
    const now = () => Date.now() + state.aheadMs
    const vault = await openGivenVault(config)
    const options = await createOptionSnapshot(() => link.call('loadOptions'), vault, versions, log)
    const guarded = openGuardedClient(createAddressGuard(config.upstreamPrivate))
    const relay = await openRelay({
      rows: createRemoteRows(link),
      vault,
      options,
      now,
      log,
      random: Math.random,
      newId: newRequestId,
      ledger: createRemoteLedger(
        link,
        () => performance.now(),
        now,
        () => state.isDead,
      ),
      health,
      versions,
      loops: { countBody: (tokenId, digest, limit) => link.call('countBody', tokenId, digest, limit) },
      cachedResponses: {
        // It arrives before the charge of its answer.
        remember: (userId, response) => link.tell('rememberResponse', userId, response),
        find: (userId, id) => link.call('recallResponse', userId, id),
        findItem: (userId, id) => link.call('recallItem', userId, id),
        forget: (userId, id) => link.call('dropResponse', userId, id),
      },
      callerLimits: {
        limits: remoteLimits(link, 'limits'),
        addressLimits: remoteLimits(link, 'addressLimits'),
        channelLimits: remoteLimits(link, 'channelLimits'),
        openCalls: {
          take: (key, limit) => link.call('takeOpen', key, limit),
          giveBack: (key) => link.tell('giveBackOpen', key),
        },
      },
      // Its tables take a hundred megabytes.
      tokenizer: { count: (job) => link.call('countTokens', job) },
      fetchGuarded: guarded.fetch,
      config,
      onHeard: (heard) => link.report('heard', heard),
      // A cooldown is for the other threads, too.
      onCalled: (call) => (call.cooldown === undefined ? link.report('called', call) : link.tell('called', call)),
      onUnpriced: (unpriced) => link.report('unpriced', unpriced),
      onCharged: (charged) => link.report('charged', charged),
      onUncharged: (uncharged) => link.report('uncharged', uncharged),
      onFinished: start.isMeasured ? (request) => link.report('finished', request) : undefined,
      onRefused: (code) => link.report('refused', code),
      onTokenRefused: (refusal) => link.report('tokenRefused', refusal),
    })
    const callers = createCallers(config.trustedProxies)
    const forwarding = openForwarding(start.socketPath, callers)
    const edge = openEdge({
      limits: { ...config, maxRequests: openRequestsFor(config.maxRequests), maxConnections: start.maxConnections },
      callers,
      now,
      newId: newRequestId,
      relay: relay.handle,
      management: forwarding.forward,
      metrics: forwarding.forward,
      console: forwarding.forward,
      refusalBody: bodyFor,
      onRefused: (code) => link.report('refused', code),
      databaseProblem: () => link.call('databaseProblem'),
      overload: () => ledgerOverload(state.isStuck, state.isFull, config.ledgerQueue),
      onDropped: reportDropped(log, start.fileLimit),
      log,
    })
    const stopLoad = systemTimers.every(LOAD_MS, () => link.report('load', relay.slots.running, relay.slots.waiting))
    return {
      edge,
      relay,
      close: async (timeoutMs, delayMs) => {
        const cut = await edge.close(timeoutMs, delayMs)
        stopLoad()
        forwarding.close()
        await relay.close()
        await guarded.close()
        return cut
      },
    }
  }
}

function remoteLimits(link: Link<MainServices>, which: RatesName): Limits {
  return {
    take: (claims) => link.call('takeLimits', which, claims),
    correct: (claim) => link.tell('correctLimit', which, claim),
  }
}

function createRemoteRows(link: Link<MainServices>): RelayRows {
  return {
    findToken: (keyHash) => link.call('findToken', keyHash),
    loadChannels: () => link.call('loadChannels'),
    storedResponses: {
      keep: (ids, owner) => link.call('keepResponses', ids, owner),
      find: (ids, userId) => link.call('findResponses', ids, userId),
      forget: (id) => link.call('forgetResponse', id),
    },
    backgroundResponses: {
      begin: (begun) => link.call('beginBackground', begun),
      find: (id, userId) => link.call('findBackground', id, userId),
      renew: (ids) => link.call('renewBackground', ids),
      end: (id, end) => link.call('endBackground', id, end),
      cancel: (id, userId) => link.call('cancelBackground', id, userId),
      forget: (id, userId) => link.call('forgetBackground', id, userId),
    },
  }
}
