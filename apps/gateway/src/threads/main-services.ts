import type { LimitClaim } from '@sluice/coordination/limits'
import type { Ledger } from '@sluice/ledger/ledger'
import type { Balance, TraceRow } from '@sluice/ledger/operation'
import { readSettlement, ValueReader } from '@sluice/ledger/settlement-values'
import type { Mq } from '@sluice/ledger/units'
import type { FinishedRequest } from '@sluice/observe/finished-request'
import type { CalledLane } from '@sluice/routing/called-lane'
import type { StoredResponse } from '@sluice/store/queries/stored-responses'
import type { BackgroundResponses } from '../relay/background/background-responses.ts'
import type { CallerLimits } from '../relay/caller/limits/caller-limits.ts'
import type { CountJob } from '../relay/charge/tokenizer/count.ts'
import type { Tokenizer } from '../relay/charge/tokenizer/tokenizer.ts'
import type { HeardOutput } from '../relay/charge/unseen-output.ts'
import type { RelayLedger } from '../relay/guard/guarded-ledger.ts'
import type { LoopDeps } from '../relay/guard/paused.ts'
import type { RelayParts, RelayRows } from '../relay/open-relay.ts'
import type { CachedResponse, CachedResponses } from '../relay/stored/cached-responses.ts'

/** What the main thread keeps for all relay threads. */
export interface MainServicesDeps {
  readonly ledger: RelayLedger
  readonly loops: LoopDeps['loops']
  readonly callerLimits: CallerLimits
  readonly tokenizer: Pick<Tokenizer, 'count'>
  readonly rows: RelayRows
  readonly cachedResponses: CachedResponses
  /** A thread has learnt what answers of a model contain. */
  readonly onHeard: (heard: HeardOutput) => void
  readonly loadOptions: () => Promise<ReadonlyMap<string, string>>
  /** Empty when the database can be read, otherwise why not. */
  readonly databaseProblem: () => Promise<string>
  readonly reports: Pick<
    RelayParts,
    'onUnpriced' | 'onCharged' | 'onUncharged' | 'onFinished' | 'onRefused' | 'onTokenRefused' | 'onCalled'
  >
  /** Requests under way and waiting in the thread. */
  readonly onLoad: (running: number, waiting: number) => void
}

/** Limits of rates, by their names. */
export type RatesName = Exclude<keyof CallerLimits, 'openCalls'>

/** A balance, and how long ago it was seen, in milliseconds. */
export interface AgedBalance extends Balance {
  readonly age: number
}

type Background<Name extends keyof BackgroundResponses> = Parameters<BackgroundResponses[Name]>

/** What relay threads call in the main thread: the one ledger, exact limits, rows, and what is counted and reported. */
export function createMainServices({
  ledger,
  loops,
  callerLimits,
  tokenizer,
  rows,
  cachedResponses,
  reports,
  ...deps
}: MainServicesDeps) {
  const balancesOf = (...accounts: readonly number[]): readonly AgedBalance[] => {
    const now = performance.now()
    return accounts.flatMap((id) => {
      const known = ledger.knownBalance(id)
      if (known === undefined) return []
      const { account, available, unlimited, budgetLeft, budgetsSince, seen } = known
      return [{ account, available, unlimited, budgetLeft, budgetsSince, age: now - seen }]
    })
  }
  return {
    hold: async (
      hold: Parameters<RelayLedger['hold']>[0],
    ): Promise<readonly [Awaited<ReturnType<RelayLedger['hold']>>, readonly AgedBalance[]]> => [
      await ledger.hold(hold),
      balancesOf(hold.account, hold.limitAccount),
    ],
    extend: (requestId: string, amount: Mq) => ledger.extend(requestId, amount),
    renew: (progress: readonly unknown[]) => ledger.renew(readSettlement(new ValueReader(progress))),
    settle: (settlement: readonly unknown[]) => ledger.settle(readSettlement(new ValueReader(settlement))),
    withdraw: (requestId: string) => ledger.withdraw(requestId),
    void: (requestId: string, trace: TraceRow) => ledger.void(requestId, trace),
    openAccount: (...account: Parameters<Ledger['openAccount']>) => ledger.openAccount(...account),

    countBody: (tokenId: number, digest: string, limit: number) => loops.countBody(tokenId, digest, limit),
    takeLimits: (which: RatesName, claims: readonly LimitClaim[]) => callerLimits[which].take(claims),
    correctLimit: (which: RatesName, claim: LimitClaim) => callerLimits[which].correct(claim),
    takeOpen: (key: string, limit: number) => callerLimits.openCalls.take(key, limit),
    giveBackOpen: (key: string) => callerLimits.openCalls.giveBack(key),

    countTokens: (job: CountJob) => tokenizer.count(job),
    findToken: (keyHash: string) => rows.findToken(keyHash),
    loadChannels: () => rows.loadChannels(),
    loadOptions: () => deps.loadOptions(),
    keepResponses: (ids: readonly string[], owner: Omit<StoredResponse, 'id'>) => rows.storedResponses.keep(ids, owner),
    findResponses: (ids: readonly string[], userId: number) => rows.storedResponses.find(ids, userId),
    forgetResponse: (id: string) => rows.storedResponses.forget(id),
    beginBackground: (...begun: Background<'begin'>) => rows.backgroundResponses.begin(...begun),
    findBackground: (...wanted: Background<'find'>) => rows.backgroundResponses.find(...wanted),
    renewBackground: (...ids: Background<'renew'>) => rows.backgroundResponses.renew(...ids),
    endBackground: (...end: Background<'end'>) => rows.backgroundResponses.end(...end),
    cancelBackground: (...wanted: Background<'cancel'>) => rows.backgroundResponses.cancel(...wanted),
    forgetBackground: (...wanted: Background<'forget'>) => rows.backgroundResponses.forget(...wanted),
    rememberResponse: (userId: number, response: CachedResponse) => void cachedResponses.remember(userId, response),
    recallResponse: (userId: number, id: string) => cachedResponses.find(userId, id),
    recallItem: (userId: number, id: string) => cachedResponses.findItem(userId, id),
    dropResponse: (userId: number, id: string) => cachedResponses.forget(userId, id),
    databaseProblem: () => deps.databaseProblem(),

    heard: (heard: HeardOutput) => deps.onHeard(heard),
    called: (call: CalledLane) => reports.onCalled(call),
    unpriced: (unpriced: Parameters<RelayParts['onUnpriced']>[0]) => reports.onUnpriced(unpriced),
    charged: (charged: Parameters<RelayParts['onCharged']>[0]) => reports.onCharged(charged),
    uncharged: (uncharged: Parameters<RelayParts['onUncharged']>[0]) => reports.onUncharged(uncharged),
    finished: (request: FinishedRequest) => reports.onFinished?.(request),
    refused: (code: string) => reports.onRefused(code),
    tokenRefused: (refusal: Parameters<RelayParts['onTokenRefused']>[0]) => reports.onTokenRefused(refusal),
    load: (running: number, waiting: number) => deps.onLoad(running, waiting),
  }
}

export type MainServices = ReturnType<typeof createMainServices>
