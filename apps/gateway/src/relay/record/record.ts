import { type Refusal, refusalText } from '@sluice/contract/errors'
import type { FinishedRequest } from '@sluice/observe/finished-request'
import { traceContext } from '@sluice/observe/tracing/trace-context'
import { uncharged } from '@sluice/providers/prices/chargeable'
import type { Accepted } from '../../edge/exchange.ts'
import type { Log } from '../../process/logger.ts'
import type { TokenRefusal } from '../../tokens/refusals.ts'
import { readKey } from '../caller/read-key.ts'
import type { TokenDirectory } from '../caller/token-directory.ts'
import type { Unanswered } from '../stages/answered.ts'
import type { Delivered, Settled } from '../stages/delivered.ts'
import { codeOf, type FailureReply } from '../stages/failure-reply.ts'
import { finishedAnswer, finishedFailure } from './finished.ts'

export interface RecordDeps {
  readonly log: Log
  /** Called for every charge, with the model's name at the provider; must return at once. */
  readonly onCharged: (charged: { readonly channel: number; readonly type: number; readonly model: string }) => void
  /** Called with the units of a charge that had no price; must return at once. */
  readonly onUncharged: (uncharged: { readonly channel: number; readonly model: string; readonly unit: string }) => void
  /** Called for every finished request; must return at once. Undefined if nothing is measured; then nothing is collected. */
  readonly onFinished: ((finished: FinishedRequest) => void) | undefined
  /** Called for every refusal, with its code; must return at once. */
  readonly onRefused: (code: string) => void
  /** Called when a call with a known key got no answer, no matter where it was refused; must return at once. */
  readonly onTokenRefused: (refusal: TokenRefusal) => void
  readonly tokens: TokenDirectory
  /** Unix milliseconds. */
  readonly now: () => number
}

/** A commit that takes longer delays the end of answers; check the disk or the database. */
const SLOW_COMMIT_MS = 250

/** Stage 12 of twelve. The rows were written with the charge; this logs the request and notifies metrics and traces. */
export function record(
  { log, onCharged, onUncharged, onFinished, now }: RecordDeps,
  delivered: Delivered,
  settled: Settled,
): void {
  const { settlement, commitMs } = settled
  const { accepted, outcome, candidate, attempts, usage } = delivered
  const { ending } = outcome
  const channel = candidate.route.channel.id
  const charged = settlement !== undefined
  const fields = { ...idsOf(accepted), channel, ending, charged, failed: attempts.length }
  if (charged) onCharged({ channel, type: candidate.route.kind.code, model: settlement.model })
  if (settlement !== undefined && usage?.counts?.units !== undefined) {
    const { model, price } = settlement
    for (const unit of uncharged(usage.counts, price.rates)) onUncharged({ channel, model, unit })
  }
  if (commitMs > SLOW_COMMIT_MS) log.warn({ ...fields, commitMs }, 'a charge took a long time to commit')
  if (ending === 'upstream_broken') log.warn(fields, 'a provider’s answer was interrupted')
  else log.debug(fields, 'answered')
  onFinished?.(finishedAnswer(delivered, settled, now()))
}

export function recordFailure(deps: RecordDeps, unanswered: Unanswered, settled: Settled): void {
  const { log, onFinished, now } = deps
  const { accepted, attempts, failure } = unanswered
  const tried = attempts.map(({ channel, status, error, said }) => ({ channel, status, error, said }))
  const fields = { ...idsOf(accepted), code: failure === undefined ? 'client_gone' : codeOf(failure), tried }
  if (tried.length > 0 && failure !== undefined) log.warn(fields, 'no channel answered')
  else log.debug(fields, 'not answered')
  if (failure !== undefined) tellOwner(deps, accepted, failure)
  onFinished?.(finishedFailure(unanswered, settled, now()))
}

export type RecordRefusal = (accepted: Accepted, refusal: Refusal) => void

export function recordRefusal(deps: RefusalDeps, accepted: Accepted, refusal: Refusal): void {
  const { code } = refusal
  deps.log.debug({ ...idsOf(accepted), client: accepted.client, code }, 'refused')
  deps.onRefused(code)
  tellOwner(deps, accepted, { refusal })
}

type RefusalDeps = Pick<RecordDeps, 'log' | 'onRefused' | 'onTokenRefused' | 'tokens'>

/** Only for keys that are already cached here: guessed keys must not cost another database look-up (class S43). */
function tellOwner({ onTokenRefused, tokens }: RefusalDeps, accepted: Accepted, reply: FailureReply): void {
  const presented = readKey(accepted)
  const known = presented && tokens.cached(tokens.digest(presented.key))
  if (known === undefined || known === 'absent') return
  const message = reply.refusal === undefined ? reply.vendor.error.message : refusalText(reply.refusal)
  onTokenRefused({ tokenId: known.snapshot.token.id, code: codeOf(reply), message })
}

/** Ids that link a log line to the request's row, and to the client's own spans. */
function idsOf({ id, headers }: Accepted) {
  const { traceparent } = headers
  return { requestId: id, traceId: typeof traceparent === 'string' ? traceContext(id, traceparent).traceId : id }
}
