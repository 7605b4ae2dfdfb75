import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { responsesFormat } from '@sluice/dialects/openai-responses/client-format'
import { emptyResponseEvents } from '@sluice/dialects/openai-responses/response-object'
import type { Accepted } from '../../edge/exchange.ts'
import type { IdentifyCall } from '../caller/identify.ts'
import type { Admit } from '../caller/limits/admit.ts'
import type { CallEndpoint } from '../endpoints/endpoints.ts'
import type { Plan } from '../routing/plan.ts'
import { refersToStored, type FindStored } from '../stored/find-stored.ts'

export interface WarmUpDeps {
  readonly identify: IdentifyCall
  readonly admit: Admit
  readonly findStored: FindStored
  readonly plan: Plan
}

/** Answers a request that generates nothing: the connection remembers its input. It is checked and counted, but not charged. */
export async function warmUp(
  deps: WarmUpDeps,
  accepted: Accepted,
  endpoint: CallEndpoint,
): Promise<Refusal | undefined> {
  const authorised = await deps.identify(accepted, endpoint)
  if (authorised === undefined || isRefusal(authorised)) return authorised
  const admitted = await deps.admit(accepted, authorised.identity, 0)
  if (isRefusal(admitted)) return admitted
  const resolved = refersToStored(authorised.parsed) ? await deps.findStored(authorised) : authorised
  if (isRefusal(resolved)) return resolved
  const planned = deps.plan(resolved)
  if (isRefusal(planned)) return planned
  const id = `resp_${accepted.id}`
  accepted.connection?.succeed()
  accepted.connection?.remember({ id, output: [] })
  const { reply, replyHeaders } = accepted
  const created = Math.floor(accepted.received / 1_000)
  reply.writeHead(200, [...replyHeaders, 'Content-Type', responsesFormat.streamType])
  reply.end(emptyResponseEvents(planned.body, { id, created }))
  return undefined
}
