import type { Refusal } from '@sluice/contract/errors'
import { uncharged } from '@sluice/providers/prices/chargeable'
import type { Accepted } from '../edge/exchange.ts'
import type { Delivered } from './deliver.ts'
import type { Unanswered } from './dispatch.ts'
import { codeOf } from './failure.ts'
import type { Settled } from './settle.ts'

/** Where the relay writes what an operator may want to know. No field ever holds a prompt, an answer, a key or a vendor's text. */
export interface RelayLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface RecordDeps {
  readonly log: RelayLog
  /** Told what a charge had no price for; must return at once. */
  readonly onUncharged: (uncharged: { readonly channel: number; readonly model: string; readonly unit: string }) => void
}

/** A commit that takes longer holds up the end of answers; the disk or the database deserves a look. */
const SLOW_COMMIT_MS = 250

/** Step 10 of ten. The rows were written with the charge; what is left is the log. */
export function record(
  { log, onUncharged }: RecordDeps,
  delivered: Delivered,
  { settlement, commitMs }: Settled,
): void {
  const { accepted, ending, candidate, attempts, usage } = delivered
  const channel = candidate.route.channel.id
  const fields = { requestId: accepted.id, channel, ending, charged: settlement !== undefined, failed: attempts.length }
  if (settlement !== undefined && usage?.counts?.units !== undefined) {
    const { model, price } = settlement
    for (const unit of uncharged(usage.counts, price.rates)) onUncharged({ channel, model, unit })
  }
  if (commitMs > SLOW_COMMIT_MS) log.warn({ ...fields, commitMs }, 'a charge took long to commit')
  if (ending === 'upstream_broken') log.warn(fields, 'a provider broke off its answer')
  else log.debug(fields, 'answered')
}

/** The same for a request that no channel answered. */
export function recordFailure({ log }: Pick<RecordDeps, 'log'>, { accepted, attempts, failure }: Unanswered): void {
  const tried = attempts.map(({ channel, status, error }) => ({ channel, status, error }))
  const fields = { requestId: accepted.id, code: failure === undefined ? 'client_gone' : codeOf(failure), tried }
  if (tried.length > 0 && failure !== undefined) log.warn(fields, 'no channel answered')
  else log.debug(fields, 'not answered')
}

/** The same for a request that did not get so far. */
export function recordRefusal({ log }: Pick<RecordDeps, 'log'>, { id, client }: Accepted, { code }: Refusal): void {
  log.debug({ requestId: id, client, code }, 'refused')
}
