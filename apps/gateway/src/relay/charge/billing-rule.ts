import type { BrokenAnswerPolicies } from '../relay-options.ts'
import type { Unanswered } from '../stages/answered.ts'
import type { Delivered } from '../stages/delivered.ts'

/**
 * What is charged for one answer. counted → what the provider reported, otherwise what was delivered, counted here · prompt → the
 * prompt alone · nothing → a row with an amount of 0, so that the ledger shows it · void → no row: the hold is released
 */
export interface BillingRule {
  readonly charges: 'counted' | 'prompt' | 'nothing' | 'void'
  /** For the log row: how the answer ended and, if a setting decided the charge, its value. */
  readonly ended: string
}

const VOID: BillingRule = { charges: 'void', ended: '' }

/** An answer withheld because its charge could not be written in time, although it may still be written later. */
export const UNDELIVERED: BillingRule = { charges: 'nothing', ended: 'undelivered' }

const RULES = {
  complete: () => counted('complete'),
  empty: ({ EmptyAnswerPolicy }) => unlessVoid(EmptyAnswerPolicy, 'empty'),
  left_early: ({ ClientLeftEarlyPolicy }) => promptOrVoid(ClientLeftEarlyPolicy, 'client_gone_early'),
  left: ({ ClientLeftPolicy }) => unlessVoid(ClientLeftPolicy, 'client_gone'),
  left_and_read_on: () => counted('client_gone_drained'),
  upstream_broken: ({ UpstreamBrokenPolicy }) => unlessVoid(UpstreamBrokenPolicy, 'upstream_broken'),
  quota_exhausted: () => counted('quota_exhausted'),
  gateway_stopped: () => counted('gateway_stopped'),
  stopped: () => counted('stopped'),
  // As for a client that left early: stopping must not be cheaper than leaving.
  stopped_early: ({ ClientLeftEarlyPolicy }) => promptOrVoid(ClientLeftEarlyPolicy, 'stopped_early'),
  error_in_answer: ({ ErrorInAnswerPolicy }) =>
    ErrorInAnswerPolicy === 'reported' ? counted('error_in_answer') : VOID,
  not_answered: () => VOID,
} as const satisfies Readonly<Record<string, (policies: BrokenAnswerPolicies) => BillingRule>>

type Case = keyof typeof RULES

/** An answer that started, or arrived whole. */
export function billingRuleFor(delivered: Delivered, policies: BrokenAnswerPolicies): BillingRule {
  return RULES[caseOf(delivered)](policies)
}

/** A request without an answer: nothing is charged unless a setting says so. */
export function billingRuleForFailure(unanswered: Unanswered, policies: BrokenAnswerPolicies): BillingRule {
  return RULES[caseOfFailure(unanswered)](policies)
}

function caseOf(delivered: Delivered): Case {
  const { outcome, accepted, plain } = delivered
  // No byte of a plain answer leaves before its charge is durable.
  if (plain !== undefined && accepted.reply.destroyed) return 'left_early'
  switch (outcome.ending) {
    case 'complete':
      return isEmpty(delivered) ? 'empty' : 'complete'
    case 'client_gone':
      if (outcome.left === 'before_start') return 'left_early'
      return outcome.isReadOn ? 'left_and_read_on' : 'left'
    default:
      return outcome.ending
  }
}

function caseOfFailure({ failure, atWork, usage }: Unanswered): Case {
  if (atWork === undefined) return 'not_answered'
  if (failure === undefined) return 'left_early'
  if (failure.refusal?.code === 'call_stopped') return 'stopped_early'
  // The caller's unread answers left no memory for this one: not reading must not be cheaper than leaving.
  if (failure.refusal?.code === 'rate_limited') return 'left_early'
  return failure.vendor !== undefined && usage !== undefined ? 'error_in_answer' : 'not_answered'
}

function counted(ended: string): BillingRule {
  return { charges: 'counted', ended }
}

function unlessVoid(policy: string, ended: string): BillingRule {
  return policy === 'void' ? { charges: 'nothing', ended: `${ended}_void` } : counted(ended)
}

function promptOrVoid(policy: string, ended: string): BillingRule {
  return policy === 'prompt' ? { charges: 'prompt', ended } : VOID
}

/** The answer ended properly and is empty: no token was reported, no text arrived. */
function isEmpty({ parsed, text }: Delivered): boolean {
  return parsed.hasText && text !== undefined && text.text === '' && text.beyondBytes === 0
}
