import type { PriceList } from '@sluice/contract/price-list'
import { ANSWER_CLASSES, type ChargeClass, PROMPT_CLASSES, type Receipt } from '@sluice/contract/receipt'
import { availableModels } from '@sluice/contract/routes/account'
import { modelsDisplay } from '@sluice/contract/routes/public'
import { receiptOfRequest } from '@sluice/contract/routes/receipts'
import { getToken, listTokens } from '@sluice/contract/routes/tokens'
import { type Token, TOKEN_STATUS } from '@sluice/contract/token'
import { type Call, successOf } from '~/lib/http/call.ts'
import { BASE_PATH } from '~/lib/navigation/base-path.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'
import { randomUuid } from '~/lib/uuid.ts'
import type { PlaygroundParts, ReplyCost } from './engine/playground.ts'
import { createAsk } from './reply-stream.ts'

/** Both lists change only when channels do, which is rare. */
const MODELS_FRESH_MS = 60_000

/** Models that these groups serve, without duplicates; without groups, the models that the account can call. */
export function entitledModelsQuery(call: Call, groups: readonly string[] = []): QuerySpec<readonly string[]> {
  return {
    queryKey: ['playground', 'available-models', ...groups],
    queryFn: async ({ signal }) => {
      const reply = await call(availableModels, { query: { groups: groups.join(',') }, signal })
      return [...new Set(successOf(reply).data)]
    },
    staleTime: MODELS_FRESH_MS,
  }
}

/** The models of each channel, and what each model accepts: as the server says, otherwise guessed from the model's name. */
export function channelModelsQuery(call: Call): QuerySpec<PriceList> {
  return {
    queryKey: ['playground', 'channel-models'],
    queryFn: async ({ signal }) => withCapabilities(successOf(await call(modelsDisplay, { query: {}, signal })).data),
    staleTime: MODELS_FRESH_MS,
  }
}

/** The guessing rules are loaded only when a server does not say what its models accept. */
async function withCapabilities(list: PriceList): Promise<PriceList> {
  const models = Object.values(list).flatMap((channel) => Object.entries(channel.models))
  const unreported = models.filter(([, { capabilities }]) => capabilities === undefined)
  if (unreported.length === 0) return list
  const { capabilitiesByName } = await import('./model/model-families.ts')
  for (const [name, model] of unreported) model.capabilities = capabilitiesByName(name)
  return list
}

/** Number of tokens fetched first, from the specification. */
export const FIRST_TOKENS = 5
/** Number of tokens fetched on request; the most that a page can hold. */
export const MOST_TOKENS = 100

export interface UsableTokens {
  readonly tokens: readonly Token[]
  /** Whether there are tokens that were not fetched. */
  readonly more: boolean
}

/** The user's own usable tokens among the newest `size`. */
export function usableTokensQuery(call: Call, size: number): QuerySpec<UsableTokens> {
  return {
    queryKey: ['playground', 'tokens', size],
    queryFn: async ({ signal }) => {
      const { data, total } = successOf(await call(listTokens, { query: { p: '0', size: String(size) }, signal }))
      return { tokens: data.filter(isUsable), more: total > data.length }
    },
  }
}

/** Null when the user's own token is not usable now. */
export function usableTokenQuery(call: Call, id: number): QuerySpec<Token | null> {
  return {
    queryKey: ['playground', 'token', id],
    queryFn: async ({ signal }) => {
      const { data } = successOf(await call(getToken, { params: { id }, signal }))
      return isUsable(data) ? data : null
    },
  }
}

function isUsable({ status }: Token): boolean {
  return status === TOKEN_STATUS.enabled
}

/** The form of the gateway's own request ids; no other id has a receipt. */
const REQUEST_ID = /^[0-9a-f]{32}$/
/** Milliseconds before each attempt to fetch a receipt that is still being written; it is ready shortly after the answer ends. */
const WAITS_MS = [150, 600, 2_000, 6_000]

/**
 * Fetches a receipt once; for an answer that has only just ended, at most `WAITS_MS.length` times until it is there.
 *
 * @param pause resolves after this many milliseconds, or at once when the signal aborts.
 */
export function createReceiptOf(
  call: Call,
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>,
): PlaygroundParts['receiptOf'] {
  return async (requestId, isFresh, signal) => {
    if (!REQUEST_ID.test(requestId)) return undefined
    for (const wait of isFresh ? WAITS_MS : [0]) {
      await pause(wait, signal)
      if (signal.aborted) return undefined
      const reply = await call(receiptOfRequest, { params: { request_id: requestId }, signal })
      if (reply.ok) return replyCost(reply.data)
      if (reply.kind !== 'refused') return undefined
    }
    return undefined
  }
}

type ConnectedParts = Pick<PlaygroundParts, 'ask' | 'receiptOf' | 'now' | 'newId' | 'onFrame'>

export function connectedParts(call: Call): ConnectedParts {
  return {
    ask: createAsk({ fetch: (url, init) => fetch(BASE_PATH + url, init), after }),
    receiptOf: createReceiptOf(call, pause),
    now: () => Date.now(),
    newId: () => randomUuid((bytes) => crypto.getRandomValues(bytes)),
    onFrame: (draw) => {
      const frame = requestAnimationFrame(draw)
      return () => cancelAnimationFrame(frame)
    },
  }
}

function after(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds)
  return () => clearTimeout(timer)
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = after(milliseconds, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })
}

/** Leaves out tokens if the receipt does not say how the charge was computed. */
export function replyCost({ movements, net }: Receipt): ReplyCost {
  // A correction by a later settlement covers the whole request.
  const lines = movements.findLast(({ calculation }) => calculation !== undefined)?.calculation?.lines
  if (lines === undefined) return { cost: net }
  const sum = (classes: readonly ChargeClass[]) =>
    lines.reduce((all, line) => (classes.includes(line.class) ? all + line.count : all), 0)
  return { promptTokens: sum(PROMPT_CLASSES), completionTokens: sum(ANSWER_CLASSES), cost: net }
}
