import { type ErrorCode, isRefusal, type Refusal } from '@sluice/contract/errors'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { holdsForeignSignature } from '@sluice/dialects/canon/signature'
import type { Accepted } from '../edge/exchange.ts'
import type { IdentifyCall } from './caller/identify.ts'
import type { Admit } from './caller/limits/admit.ts'
import type { LimitChannel } from './caller/limits/limit.ts'
import type { CountKind } from './calls/count-tokens.ts'
import type { Tokenizer } from './charge/tokenizer/tokenizer.ts'
import { tellGroup } from './client/group-header.ts'
import { refuse } from './client/refuse.ts'
import { showJson } from './client/show-json.ts'
import type { Plan } from './routing/plan.ts'
import type { Authorised } from './stages/authorised.ts'
import { endedRefusal } from './stages/call-stopped.ts'
import type { Planned } from './stages/planned.ts'
import { refersToStored, type FindStored } from './stored/find-stored.ts'
import { type Running, type AskUpstream, type StoppableCall } from './upstream/ask-upstream.ts'
import { prepare } from './upstream/prepare/prepare.ts'
import { openSource } from './upstream/prepare/upstream-body.ts'

export interface CountTokensDeps {
  readonly identify: IdentifyCall
  readonly admit: Admit
  readonly findStored: FindStored
  readonly plan: Plan
  readonly limitChannel: LimitChannel
  readonly ask: AskUpstream
  readonly tokenizer: Pick<Tokenizer, 'count'>
  readonly now: () => number
}

/** Larger bodies are estimated by their size. */
const COUNTED_BODY_LIMIT = 1_048_576
/** Refusals that mean no channel can be called for the count; it can still be computed here. */
const NOBODY_COUNTS: ReadonlySet<ErrorCode> = new Set([
  'endpoint_not_served',
  'model_price_missing',
  'no_channel',
  'own_key_unserved',
  'providers_limited',
])
/** Servers that speak the dialect often do not implement this call. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 501])

/** The provider's count if a channel can be called, otherwise our tokenizer's. Limited like every call, but never charged. */
export async function countTokens(
  deps: CountTokensDeps,
  accepted: Accepted,
  kind: CountKind,
  facts: PathFacts,
): Promise<Refusal | undefined> {
  const authorised = await deps.identify(accepted, { call: kind, facts })
  if (authorised === undefined || isRefusal(authorised)) return authorised
  const admitted = await deps.admit(accepted, authorised.identity, undefined)
  if (isRefusal(admitted)) return admitted
  const resolved = refersToStored(authorised.parsed) ? await deps.findStored(authorised) : authorised
  if (isRefusal(resolved)) return resolved
  const planned = deps.plan(resolved)
  if (isRefusal(planned) && !NOBODY_COUNTS.has(planned.code)) return planned
  // With foreign signatures, a provider's count would be wrong, or missing.
  const mayAsk = !isRefusal(planned) && !holdsForeignSignature(authorised.body, authorised.parsed.conversation?.dialect)
  const hasAnswered = mayAsk && (await askProviders(deps, planned))
  if (hasAnswered) return undefined
  const { signal, reply } = accepted
  if (signal.aborted) return reply.destroyed ? undefined : endedRefusal(signal)
  return showJson(accepted, kind.tell(await countHere(deps, authorised)))
}

/** True if a provider has answered: with the number, or with an error that the request caused. */
async function askProviders(deps: CountTokensDeps, planned: Planned): Promise<boolean> {
  const { accepted, identity } = planned
  const running: Running<StoppableCall> = {
    call: undefined,
    isStopped: accepted.signal.aborted,
    signal: accepted.signal,
    hold: (bytes) => accepted.holdAnswer(identity, bytes),
  }
  accepted.signal.addEventListener('abort', () => {
    running.isStopped = true
    running.call?.cancel('the client left or the gateway stops')
  })
  const source = openSource(planned, deps.now)
  for (const candidate of planned.candidates) {
    if (running.isStopped) return false
    // Another model would count differently.
    if (candidate.model !== planned.parsed.model) continue
    const request = (await deps.limitChannel(identity.tokenId, candidate.route)) ?? prepare(source, candidate)
    if (isRefusal(request)) continue
    const { outcome } = await deps.ask(request, running)
    if (!('retry' in outcome)) {
      if (outcome.plain === undefined) continue
      tellGroup(accepted, candidate.group)
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

async function countHere({ tokenizer }: CountTokensDeps, { parsed, body }: Authorised): Promise<number> {
  const prompt = body.length > COUNTED_BODY_LIMIT ? parsed.promptBytes : body
  return (await tokenizer.count({ model: parsed.model, prompt, text: '', beyondBytes: 0 })).prompt
}
