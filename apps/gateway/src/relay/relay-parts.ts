import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { Health } from '@sluice/routing/health'
import type { CalledLane } from '@sluice/routing/lane'
import type { Database } from '@sluice/store/database'
import { type ChannelSnapshot, loadChannels } from '@sluice/store/snapshots/channels'
import { findTokenByKeyHash, type TokenSnapshot } from '@sluice/store/snapshots/tokens'
import type { Vault } from '@sluice/store/vault'
import type { PrivatePolicy } from '../outbound/address-guard.ts'
import type { StageTimeouts } from '../outbound/guarded-agent.ts'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import type { Log } from '../process/logger.ts'
import { type BackgroundResponses, createBackgroundResponses } from './background/background-responses.ts'
import type { CallerLimits } from './caller/limits/caller-limits.ts'
import type { Tokenizer } from './charge/tokenizer/tokenizer.ts'
import type { StreamTimes } from './client/client-stream.ts'
import type { RelayLedger } from './guard/guarded-ledger.ts'
import type { LoopDeps } from './guard/paused.ts'
import type { RecordDeps } from './record/record.ts'
import type { RelayOptions } from './relay-options.ts'
import type { PlanDeps } from './routing/plan.ts'
import type { ResponseCache } from './stored/cached-responses.ts'
import { type StoredResponses, createStoredResponses } from './stored/stored-responses.ts'
import type { RetryTimes } from './upstream/attempts.ts'

export interface RelayParts {
  readonly rows: RelayRows
  readonly vault: Vault
  readonly ledger: RelayLedger
  readonly loops: LoopDeps['loops']
  readonly versions: Pick<VersionWatch, 'onChange'>
  readonly options: () => RelayOptions
  readonly config: RelayConfig
  /** Unix milliseconds. */
  readonly now: () => number
  /** For addresses that are not a provider's own, such as those that issue tokens. */
  readonly fetchGuarded: FetchGuarded
  /** 0 to 1. */
  readonly random: () => number
  /** 32 hex characters. */
  readonly newId: () => string
  readonly log: Log
  readonly health: Health
  readonly cachedResponses: ResponseCache
  readonly callerLimits: CallerLimits
  readonly tokenizer: Pick<Tokenizer, 'count'>
  readonly onCalled: (called: CalledLane) => void
  readonly onUnpriced: PlanDeps['onUnpriced']
  readonly onCharged: RecordDeps['onCharged']
  readonly onUncharged: RecordDeps['onUncharged']
  readonly onFinished: RecordDeps['onFinished']
  readonly onRefused: RecordDeps['onRefused']
  readonly onTokenRefused: RecordDeps['onTokenRefused']
}

export interface RelayConfig extends StageTimeouts, StreamTimes, RetryTimes {
  readonly answerLimit: number
  readonly upstreamConnections: number
  readonly upstreamPrivate: PrivatePolicy
  readonly callerKeyOrigins: readonly string[]
  readonly relayRateLimit: number
  readonly maxRequests: number
  readonly queueTimeoutMs: number
}

/** The relay's reads and writes other than the ledger's. */
export interface RelayRows {
  /** By the SHA-256 of the key, in hex. */
  findToken(keyHash: string): Promise<TokenSnapshot | undefined>
  loadChannels(): Promise<readonly ChannelSnapshot[]>
  readonly storedResponses: StoredResponses
  readonly backgroundResponses: BackgroundResponses
}

export function createRelayRows({ kysely }: Pick<Database, 'kysely'>, now: () => number): RelayRows {
  return {
    findToken: (keyHash) => findTokenByKeyHash(kysely, keyHash),
    loadChannels: () => loadChannels(kysely),
    storedResponses: createStoredResponses({ kysely }, now),
    backgroundResponses: createBackgroundResponses({ kysely }, now),
  }
}
