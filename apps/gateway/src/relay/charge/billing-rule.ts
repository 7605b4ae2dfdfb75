import type { BrokenAnswerPolicies } from '../relay-options.ts'
import type { Unanswered } from '../stages/answered.ts'
import type { Delivered } from '../stages/delivered.ts'

/**
 * What is charged for one answer. counted → what the provider reported, otherwise what was delivered, counted here · prompt → the
 * prompt alone · nothing → a row with an amount of 0, so that the ledger shows it · void → no row: the hold is given back
 */
export interface BillingRule {
  readonly charges: 'counted' | 'prompt' | 'nothing' | 'void'
  /** For the log row: how the answer ended and, where a setting decided, what it says. */
  readonly ended: string
}

/** An answer that began, or arrived whole. */
export function billingRuleFor(delivered: Delivered, policies: BrokenAnswerPolicies): BillingRule {
  const { ending, accepted, plain, gotNothing, isDrained } = delivered
  // No byte of a plain answer leaves before its charge is durable.
  if (gotNothing || (plain !== undefined && accepted.reply.destroyed)) return leftEarly(policies)
  switch (ending) {
    case 'complete':
      return isEmpty(delivered) ? emptyAnswer(policies) : { charges: 'counted', ended: ending }
    case 'client_gone':
      if (isDrained) return { charges: 'counted', ended: 'client_gone_drained' }
      return unlessVoid(policies.ClientLeftPolicy, ending)
    case 'upstream_broken':
      return unlessVoid(policies.UpstreamBrokenPolicy, ending)
    default:
      return { charges: 'counted', ended: ending }
  }
}

/** A request without an answer: nothing is charged unless a setting says so. */
export function billingRuleForFailure(unanswered: Unanswered, policies: BrokenAnswerPolicies): BillingRule {
  const { failure, atWork, usage } = unanswered
  if (atWork === undefined) return VOID
  if (failure === undefined) return leftEarly(policies)
  if (failure.refusal?.code === 'call_stopped') return stoppedEarly(policies)
  // The caller's own unread answers left no room for this one: to leave them unread must not be cheaper than to leave.
  if (failure.refusal?.code === 'rate_limited') return leftEarly(policies)
  const isCounted = failure.vendor !== undefined && usage !== undefined && policies.ErrorInAnswerPolicy === 'reported'
  return isCounted ? { charges: 'counted', ended: 'error_in_answer' } : VOID
}

const VOID: BillingRule = { charges: 'void', ended: '' }

/** An answer that was withheld because its charge could not be written in time, but might still be written. */
export const UNDELIVERED: BillingRule = { charges: 'nothing', ended: 'undelivered' }

function leftEarly({ ClientLeftEarlyPolicy: policy }: BrokenAnswerPolicies): BillingRule {
  return policy === 'prompt' ? { charges: 'prompt', ended: 'client_gone_early' } : VOID
}

/** As a client that left early: stopping must not be cheaper than leaving. */
function stoppedEarly({ ClientLeftEarlyPolicy: policy }: BrokenAnswerPolicies): BillingRule {
  return policy === 'prompt' ? { charges: 'prompt', ended: 'stopped_early' } : VOID
}

function emptyAnswer({ EmptyAnswerPolicy: policy }: BrokenAnswerPolicies): BillingRule {
  return unlessVoid(policy, 'empty')
}

function unlessVoid(policy: string, ended: string): BillingRule {
  return policy === 'void' ? { charges: 'nothing', ended: `${ended}_void` } : { charges: 'counted', ended }
}

/** The answer ended properly and is empty: no token was reported, no text arrived. */
function isEmpty({ parsed, text }: Delivered): boolean {
  return parsed.hasText && text !== undefined && text.text === '' && text.beyondBytes === 0
}
