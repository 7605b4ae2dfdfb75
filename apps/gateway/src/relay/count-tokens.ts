import type { ErrorCode, Refusal } from '@sluice/contract/errors'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { holdsForeignProof } from '@sluice/dialects/canon/proof'
import type { Accepted } from '../edge/exchange.ts'
import { type AskDeps, askUpstream, type Running } from './ask-upstream.ts'
import { authenticate, type AuthenticateDeps } from './authenticate.ts'
import type { CountKind } from './calls/count-tokens.ts'
import { type Authorised, identify } from './identify.ts'
import { locate, type LocateDeps, refersToKept } from './kept/locate.ts'
import { limitChannel, type LimitDeps } from './limit.ts'
import { admit, type AdmitDeps } from './limits/admit.ts'
import { plan, type PlanDeps, type Planned } from './plan.ts'
import { prepare } from './prepare/prepare.ts'
import { openSource } from './prepare/rendition.ts'
import { refuse } from './refuse.ts'
import type { RelayOptions } from './relay-options.ts'
import { showJson } from './show-json.ts'
import type { Tokenizer } from './tokenizer/tokenizer.ts'

export interface CountTokensDeps extends AuthenticateDeps, AdmitDeps, LimitDeps, PlanDeps, AskDeps, LocateDeps {
  readonly tokenizer: Tokenizer
  readonly options: () => RelayOptions
}

/** Larger bodies are estimated by their size. */
const COUNTED_BODY_LIMIT = 1_048_576
/** No channel can be asked for the number; it can be counted here all the same. */
const NOBODY_COUNTS: ReadonlySet<ErrorCode> = new Set([
  'endpoint_not_served',
  'model_price_missing',
  'no_channel',
  'providers_limited',
])
/** Servers that speak the dialect often leave this call out. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 501])

/**
 * Tells how many tokens a prompt has: as the provider counts where a channel can be asked, else as this gateway's tokenizer
 * does. Held to the rules and limits of keys like every call; never charged.
 */
export async function countTokens(
  deps: CountTokensDeps,
  accepted: Accepted,
  kind: CountKind,
  facts: PathFacts,
): Promise<Refusal | undefined> {
  const known = await authenticate(deps, accepted)
  if ('code' in known) return known
  const { body, refusal } = await accepted.readBody(known.identity)
  if (body === undefined) return refusal
  const authorised = identify(known, { call: kind, facts }, body)
  if ('code' in authorised) return authorised
  const admitted = await admit(deps, accepted, authorised.identity, undefined)
  if ('code' in admitted) return admitted
  const located = refersToKept(authorised.asked) ? await locate(deps, authorised) : authorised
  if ('code' in located) return located
  const planned = plan(deps, located)
  if ('code' in planned && !NOBODY_COUNTS.has(planned.code)) return planned
  // Foreign signatures make a provider count something else, if anything.
  const mayAsk = !('code' in planned) && !holdsForeignProof(body, authorised.asked.conversation?.dialect)
  const hasAnswered = mayAsk && (await askProviders(deps, planned))
  if (hasAnswered) return undefined
  const { signal, reply } = accepted
  if (signal.aborted) return reply.destroyed ? undefined : { code: 'shutting_down', retryAfter: 1 }
  return showJson(accepted, kind.tell(await countHere(deps, authorised)))
}

/** Whether a provider has answered: with the number, or with what is wrong with the request. */
async function askProviders(deps: CountTokensDeps, planned: Planned): Promise<boolean> {
  const { accepted, identity } = planned
  const running: Running = { call: undefined, isStopped: accepted.signal.aborted, signal: accepted.signal }
  accepted.signal.addEventListener('abort', () => {
    running.isStopped = true
    running.call?.cancel('the client left or the gateway stops')
  })
  const source = openSource(planned)
  for (const candidate of planned.candidates) {
    if (running.isStopped) return false
    // Another model has other tokens.
    if (candidate.model !== planned.asked.model) continue
    const request = limitChannel(deps, identity.tokenId, candidate.route) ?? prepare(source, candidate)
    if ('code' in request) continue
    const { outcome } = await askUpstream(deps, request, running)
    if (!('retry' in outcome)) {
      if (outcome.plain === undefined) continue
      showJson(accepted, outcome.plain.body)
      return true
    }
    if (!outcome.retry && !NOT_THERE.has(outcome.reply.vendor?.status ?? 0)) {
      refuse(accepted, outcome.reply)
      return true
    }
  }
  return false
}

async function countHere({ tokenizer }: CountTokensDeps, { asked, body }: Authorised): Promise<number> {
  const prompt = body.length > COUNTED_BODY_LIMIT ? asked.promptBytes : body
  return (await tokenizer.count({ model: asked.model, prompt, text: '', beyondBytes: 0 })).prompt
}
