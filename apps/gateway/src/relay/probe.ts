import { refusalText } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { textOfReply } from '@sluice/dialects/openai-chat/delta-text'
import { identifyChat } from '@sluice/dialects/openai-chat/identify'
import type { StageTimeouts } from '../outbound/guarded-agent.ts'
import type { DispatchDeps } from './dispatch.ts'
import type { FailureReply } from './failure.ts'
import { judge } from './judge.ts'
import { prepare } from './prepare.ts'
import type { Route, RoutingTable } from './routing-table.ts'
import { UpstreamCall } from './upstream-call.ts'

/** What one short request through a channel showed. */
export interface ProbeResult {
  readonly ok: boolean
  /** The model that was asked; empty when there was none to ask. */
  readonly model: string
  readonly elapsedMs: number
  /** Start of the reply on success, else what went wrong. Never holds a key. */
  readonly message: string
}

export interface ProbeDeps extends Pick<DispatchDeps, 'upstreams' | 'answerLimit' | 'now'> {
  readonly times: StageTimeouts
  readonly routing: () => RoutingTable
}

const QUESTION = '2 + 2 = ?'
/** Enough for models that think before they answer. */
const MAX_TOKENS = 256
const SHOWN = 200
const OPENAI = 1

/**
 * Sends one short request through a channel, enabled or not, and charges nothing. `model` null asks for the cheapest one
 * that the channel offers.
 */
export function createProbe(deps: ProbeDeps) {
  return async (channelId: number, model: string | null, signal: AbortSignal): Promise<ProbeResult> => {
    const found = deps.routing().channel(channelId)
    if (found === undefined) return failed('', 0, 'The channel does not exist.')
    const { route, snapshot } = found
    if (route === undefined) return failed('', 0, found.problem)
    const asked = model ?? cheapest(route, snapshot.models)
    if (asked === undefined) return failed('', 0, 'The channel offers no model.')
    return await ask(deps, route, asked, signal)
  }
}

async function ask(deps: ProbeDeps, route: Route, model: string, signal: AbortSignal): Promise<ProbeResult> {
  const request = requestFor(route, model)
  const call = new UpstreamCall(request, deps.answerLimit, deps.now)
  const stop = () => call.cancel('the test was stopped')
  if (signal.aborted) return failed(model, 0, 'The test was stopped.')
  signal.addEventListener('abort', stop)
  const started = deps.now()
  const outcome = judge(deps.times, call, await call.start(deps.upstreams))
  signal.removeEventListener('abort', stop)
  const elapsedMs = deps.now() - started
  if ('retry' in outcome) return failed(model, elapsedMs, signal.aborted ? 'The test was stopped.' : say(outcome.reply))
  const text = outcome.plain === undefined ? '' : textOfReply(outcome.plain.body).text
  return { ok: true, model, elapsedMs, message: text.slice(0, SHOWN) }
}

function requestFor(route: Route, model: string) {
  // OpenAI's newer models know this name only, most other providers the older one only.
  const cap = route.kind.code === OPENAI ? 'max_completion_tokens' : 'max_tokens'
  const body = Buffer.from(
    JSON.stringify({ model, messages: [{ role: 'user', content: QUESTION }], [cap]: MAX_TOKENS }),
  )
  const chat = identifyChat(body)
  if (isBodyRefusal(chat)) throw new Error('the test request is not valid')
  const request = prepare({ body, chat }, route, route.upstreamModel(model))
  if ('code' in request) throw new Error('the test request cannot be prepared')
  return request
}

/** The model whose question and full answer would cost least; an unpriced one only when none has a price. */
function cheapest(route: Route, models: readonly string[]): string | undefined {
  const priced = models.flatMap((model) => {
    const quote = route.quote(route.upstreamModel(model))
    return quote === 'missing' ? [] : [{ model, cost: quote.rates.input + quote.rates.output }]
  })
  const [first] = priced.toSorted((a, b) => (a.cost < b.cost ? -1 : a.cost > b.cost ? 1 : 0))
  return first?.model ?? models[0]
}

function failed(model: string, elapsedMs: number, message: string): ProbeResult {
  return { ok: false, model, elapsedMs, message }
}

const say = ({ refusal, vendor }: FailureReply) => (vendor === undefined ? refusalText(refusal) : vendor.error.message)
