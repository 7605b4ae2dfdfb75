import { KINDS } from '../kinds/all.ts'
import type { ProviderKind } from '../kinds/kind.ts'
import {
  type Fault,
  type FailureRule,
  hasText,
  hasWord,
  isAboutStatus,
  isUnder,
  type SaidError,
} from './failure-rule.ts'
import { USUAL_WORDS } from './usual-words.ts'

export type FailingKind = Pick<ProviderKind, 'failures' | 'isAnyServer' | 'standing'>

/**
 * Who is at fault for an answer with a failing status, or for an error with a success status. The kind's own rules come first, then
 * words that all vendors share, then the status.
 */
export function faultOf(kind: FailingKind, status: number, error: SaidError | undefined): Fault {
  const { failures: own = [] } = kind
  const fault =
    (error && (ruleFor(own, status, error) ?? ruleFor(USUAL_WORDS, status, error) ?? passedOn(kind, status, error)))
      ?.fault ??
    own.find((rule) => isAboutStatus(rule) && isUnder(rule, status))?.fault ??
    faultOfStatus(status)
  // If the error is about a tool or another model that the request names, the request is at fault.
  return fault === 'unknown_model' && !isAboutModel(error) ? 'request_here' : fault
}

function ruleFor(rules: readonly FailureRule[], status: number, error: SaidError): FailureRule | undefined {
  return rules.find((rule) => isUnder(rule, status) && (hasWord(rule, error) || hasText(rule, error)))
}

/** Resellers, and servers in front of any vendor, pass on its error; the message identifies the vendor, the codes might not. */
function passedOn({ isAnyServer, standing }: FailingKind, status: number, error: SaidError): FailureRule | undefined {
  const isInFront = isAnyServer === true || (standing !== 'current' && standing.state === 'reseller')
  return isInFront ? EVERY_TEXT.find((rule) => isUnder(rule, status) && hasText(rule, error)) : undefined
}

const EVERY_TEXT: readonly FailureRule[] = [
  ...new Set(KINDS.flatMap((kind: ProviderKind) => kind.failures ?? []).filter(({ text }) => text !== undefined)),
]

function isAboutModel(error: SaidError | undefined): boolean {
  const { param = '' } = error ?? {}
  return param === '' || param === 'model'
}

/** Paths, sizes and media types that this provider does not accept. */
const NOT_TAKEN_HERE: ReadonlySet<number> = new Set([404, 405, 413, 415])

function faultOfStatus(status: number): Fault {
  if (status === 401 || status === 403) return 'key'
  if (status === 402) return 'account'
  if (status === 429) return 'limited'
  if (NOT_TAKEN_HERE.has(status)) return 'request_here'
  // A redirect is not an answer, and 408 means that the provider was too slow to read the request.
  return status < 400 || status >= 500 || status === 408 ? 'provider' : 'caller'
}
