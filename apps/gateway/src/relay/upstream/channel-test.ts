import { isRefusal, type Refusal, refusalText } from '@sluice/contract/errors'
import { textOfReply } from '@sluice/dialects/canon/delta-text'
import { isChatModel } from '@sluice/providers/offered-models'
import { readChat } from '../calls/chat.ts'
import type { FoundChannel, RoutingTable } from '../routing/routing-table.ts'
import type { FailureReply } from '../stages/failure-reply.ts'
import type { Route } from '../stages/route.ts'
import { type AskDeps, askUpstream, type Running } from './ask-upstream.ts'
import type { FailureCause } from './failure-cause.ts'
import { refused } from './failure.ts'
import { prepare } from './prepare/prepare.ts'
import { openSource } from './prepare/upstream-body.ts'
import { OFF_CLOCK } from './reply-times.ts'
import type { CallRequest } from './upstream-call.ts'

export interface ChannelTestResult {
  readonly ok: boolean
  /** Absent on success. */
  readonly cause?: FailureCause
  /** Empty if the channel has no model to test. */
  readonly model: string
  readonly elapsedMs: number
  /** Start of the reply on success, otherwise what went wrong. Never contains a key. */
  readonly message: string
}

export interface ChannelTestDeps extends AskDeps {
  readonly routing: () => RoutingTable
}

const QUESTION = '2 + 2 = ?'
/** Enough for models that think before they answer. */
const MAX_TOKENS = 256
const SHOWN = 200
const USES_CALLERS_KEYS = 'The channel uses its callers’ own keys, so it has no key to be tested with.'
const CHAT = { endpoint: 'chat_completions' }

/** `key` is the fingerprint of the key to use; by default the first enabled one. */
export type TestChannel = (
  channelId: number,
  model: string | null,
  signal: AbortSignal,
  key?: string,
) => Promise<ChannelTestResult>

/** Tests even a disabled channel, with one short request; charges nothing. `model` null means the channel's cheapest model. */
export function createChannelTest(deps: ChannelTestDeps): TestChannel {
  return async (channelId, model, signal, key) => {
    const found = deps.routing().channel(channelId)
    if (found === undefined) return failed('setup', '', 0, 'The channel does not exist.')
    const { snapshot } = found
    const route = key === undefined ? found.route : routeOfKey(found, key)
    if (route === undefined) return failed('setup', '', 0, sentence(found.problem ?? 'the key cannot be used'))
    const requested = model ?? cheapest(route, snapshot.models, deps.now())
    if (requested === undefined)
      return failed('setup', '', 0, 'The channel has no model that can answer a test question.')
    return await ask(deps, route, requested, signal)
  }
}

function routeOfKey({ routes = [], offRoutes }: FoundChannel, key: string): Route | undefined {
  return [...routes, ...offRoutes].find((route) => route.key.fingerprint === key)
}

async function ask(
  deps: ChannelTestDeps,
  route: Route,
  model: string,
  signal: AbortSignal,
): Promise<ChannelTestResult> {
  // This says nothing about the channel, so scheduled tests must not disable it.
  if (route.callers?.mode === 'caller') return failed('stopped', model, 0, USES_CALLERS_KEYS)
  const started = deps.steady()
  let outcome = await attempt(deps, route, model, signal)
  // A kept-alive connection closed by the provider says nothing about the provider's health.
  if (outcome !== undefined && 'retry' in outcome && outcome.wasClosed) {
    outcome = await attempt(deps, route, model, signal)
  }
  const elapsedMs = Math.round(deps.steady() - started)
  if (signal.aborted || outcome === undefined) return stopped(model, elapsedMs, signal)
  if ('retry' in outcome) {
    const { cause, reply, detail, said } = outcome
    return failed(
      cause,
      model,
      elapsedMs,
      detail !== undefined
        ? sentence(detail)
        : cause === 'setup'
          ? 'The address of this channel is not allowed.'
          : say(reply, said),
    )
  }
  const text = outcome.plain === undefined ? '' : textOfReply(outcome.plain.body).text
  return { ok: true, model, elapsedMs, message: text.slice(0, SHOWN) }
}

/** Undefined if the caller has stopped waiting. */
async function attempt(deps: ChannelTestDeps, route: Route, model: string, signal: AbortSignal) {
  if (signal.aborted) return undefined
  const request = requestFor(route, model, deps.now)
  if (isRefusal(request)) return refused(request)
  const running: Running = { call: undefined, isStopped: false, signal, hold: () => undefined }
  const stop = () => {
    running.isStopped = true
    running.call?.cancel('the test was stopped')
  }
  signal.addEventListener('abort', stop)
  const { outcome } = await askUpstream(deps, request, running)
  signal.removeEventListener('abort', stop)
  const isAboutTime = outcome !== undefined && 'retry' in outcome && outcome.cause === 'account'
  return isAboutTime && running.call?.clocksDiffer === true
    ? { ...outcome, cause: 'setup' as const, detail: `the provider refuses the key, and ${OFF_CLOCK}` }
    : outcome
}

function requestFor(route: Route, model: string, now: () => number): CallRequest | Refusal {
  // OpenAI's newer models only accept this name, and most other providers only the older one.
  const cap = route.kind.takesCompletionCap ? 'max_completion_tokens' : 'max_tokens'
  const body = Buffer.from(
    JSON.stringify({ model, messages: [{ role: 'user', content: QUESTION }], [cap]: MAX_TOKENS }),
  )
  const parsed = readChat(body)
  if (isRefusal(parsed)) throw new Error('the test request is not valid')
  const source = openSource({ body, parsed, kind: CHAT, accepted: { id: 'probe', received: now() } }, now)
  return prepare(source, { route, upstreamModel: route.upstreamModel(model) })
}

/** The cheapest model for the question and a full answer; an unpriced one only if none has a price. */
function cheapest(route: Route, offered: readonly string[], now: number): string | undefined {
  const models = offered.filter(isChatModel)
  const priced = models.flatMap((model) => {
    const quote = route.quote(route.upstreamModel(model), now)
    return quote === 'missing' ? [] : [{ model, cost: quote.rates.input + quote.rates.output }]
  })
  const [first] = priced.toSorted((a, b) => (a.cost < b.cost ? -1 : a.cost > b.cost ? 1 : 0))
  return first?.model ?? models[0]
}

function failed(cause: FailureCause, model: string, elapsedMs: number, message: string): ChannelTestResult {
  return { ok: false, cause, model, elapsedMs, message }
}

/** If the caller set a time limit, the provider exceeded it. */
function stopped(model: string, elapsedMs: number, signal: AbortSignal): ChannelTestResult {
  const isTimeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
  return isTimeout
    ? failed('provider', model, elapsedMs, 'The provider did not answer in time.')
    : failed('stopped', model, elapsedMs, 'The test was stopped.')
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Administrators also see the provider's message about the account. */
function say({ refusal, vendor }: FailureReply, said: string | undefined): string {
  const text = vendor === undefined ? refusalText(refusal) : vendor.error.message
  return said === undefined ? text : `${text} It said: ${said}`
}
