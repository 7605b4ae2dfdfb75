import type { Delivered } from './deliver.ts'
import type { Unanswered } from './dispatch.ts'
import type { BrokenAnswerPolicies } from './relay-options.ts'

/**
 * What is charged of one answer.
 * counted → what the provider reported, else what was delivered, counted here · prompt → the prompt alone ·
 * nothing → a row with an amount of 0, so that the books show it · void → no row: the hold is given back
 */
export interface Ruling {
  readonly charges: 'counted' | 'prompt' | 'nothing' | 'void'
  /** For the log row: how the answer ended and, where a setting chose, what it chose. */
  readonly ended: string
}

/** An answer that began, or that came whole. */
export function rulingOn(delivered: Delivered, policies: BrokenAnswerPolicies): Ruling {
  const { ending, accepted, plain, gotNothing, isDrained } = delivered
  // Of a plain answer nothing leaves before its charge is durable.
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
export function rulingOnFailure(unanswered: Unanswered, policies: BrokenAnswerPolicies): Ruling {
  const { failure, atWork, usage } = unanswered
  if (atWork === undefined) return VOID
  if (failure === undefined) return leftEarly(policies)
  const isCounted = failure.vendor !== undefined && usage !== undefined && policies.ErrorInAnswerPolicy === 'reported'
  return isCounted ? { charges: 'counted', ended: 'error_in_answer' } : VOID
}

const VOID: Ruling = { charges: 'void', ended: '' }

/** An answer that was kept back because its charge could not be written in time, and may be written all the same. */
export const UNDELIVERED: Ruling = { charges: 'nothing', ended: 'undelivered' }

function leftEarly({ ClientLeftEarlyPolicy: policy }: BrokenAnswerPolicies): Ruling {
  return policy === 'prompt' ? { charges: 'prompt', ended: 'client_gone_early' } : VOID
}

function emptyAnswer({ EmptyAnswerPolicy: policy }: BrokenAnswerPolicies): Ruling {
  return unlessVoid(policy, 'empty')
}

function unlessVoid(policy: string, ended: string): Ruling {
  return policy === 'void' ? { charges: 'nothing', ended: `${ended}_void` } : { charges: 'counted', ended }
}

/** The answer ended properly and holds nothing: no token was reported, no text came. */
function isEmpty({ asked, text }: Delivered): boolean {
  return asked.hasText && text !== undefined && text.text === '' && text.beyondBytes === 0
}
