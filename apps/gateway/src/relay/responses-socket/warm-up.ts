import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { responsesFormat } from '@sluice/dialects/openai-responses/client-format'
import { emptyResponseEvents } from '@sluice/dialects/openai-responses/frames/empty-response'
import type { Accepted } from '../../edge/exchange.ts'
import { authenticate, type AuthenticateDeps } from '../caller/authenticate.ts'
import { identify } from '../caller/identify.ts'
import { admit, type AdmitDeps } from '../caller/limits/admit.ts'
import type { CallEndpoint } from '../endpoints/endpoints.ts'
import { plan, type PlanDeps } from '../routing/plan.ts'
import { findStored, type FindStoredDeps, refersToStored } from '../stored/find-stored.ts'

export interface WarmUpDeps extends AuthenticateDeps, AdmitDeps, FindStoredDeps, PlanDeps {
  readonly now: () => number
  readonly options: AuthenticateDeps['options'] & AdmitDeps['options'] & FindStoredDeps['options'] & PlanDeps['options']
}

/**
 * Answers a request that is to generate nothing: the connection remembers what it says, and later requests go on from it. It is
 * checked and counted as they will be, but no provider is called and nothing is charged.
 */
export async function warmUp(
  deps: WarmUpDeps,
  accepted: Accepted,
  endpoint: CallEndpoint,
): Promise<Refusal | undefined> {
  const known = await authenticate(deps, accepted)
  if (isRefusal(known)) return known
  const { body, refusal } = await accepted.readBody(known.identity)
  if (body === undefined) return refusal
  const authorised = identify(known, endpoint, body)
  if (isRefusal(authorised)) return authorised
  const admitted = await admit(deps, accepted, authorised.identity, 0)
  if (isRefusal(admitted)) return admitted
  const resolved = refersToStored(authorised.parsed) ? await findStored(deps, authorised) : authorised
  if (isRefusal(resolved)) return resolved
  const planned = plan(deps, resolved)
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
