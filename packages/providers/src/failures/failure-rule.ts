/**
 * Who is at fault when a provider answers with an error. caller → the request is wrong everywhere · request_here → this provider, or
 * this model, cannot take the request, and another one might: too long, a field that is not known here, a content policy · key → the
 * key is refused · account → the account behind it is: no credit, disabled, over its spending limit, wrong country · limited → too
 * many calls at the moment · unknown_model → the model is not served to this key: unknown, retired, not enabled · provider → the
 * provider does not work
 */
export type Fault = 'caller' | 'request_here' | 'key' | 'account' | 'limited' | 'unknown_model' | 'provider'

/**
 * How a vendor says whose fault it is, where its status alone does not. A rule without `words` and `text` is about the statuses. It
 * comes from a recorded failure under `tests/recorded/failures`.
 */
export interface FailureRule {
  readonly fault: Fault
  /** Under any status when absent. */
  readonly statuses?: readonly number[]
  /** One of them is the error's type, code or reason: fixed words of the protocol. */
  readonly words?: readonly string[]
  /**
   * The whole message, for vendors whose words do not say it. It must match from the first character to the last, with nothing of
   * the request's length or choice in it: vendors quote requests, and a caller must not be able to write such a sentence.
   */
  readonly text?: RegExp
}

/** What rules look at. */
export interface SaidError {
  /** One line. */
  readonly message: string
  readonly type: string | undefined
  readonly code: string | number | undefined
  readonly param: string | undefined
}

export function hasWord({ words = [] }: FailureRule, { type, code }: SaidError): boolean {
  return words.some((word) => word === type || word === String(code))
}

export function hasText({ text }: FailureRule, { message }: SaidError): boolean {
  return text?.test(message) === true
}

export function isUnder({ statuses }: FailureRule, status: number): boolean {
  return statuses === undefined || statuses.includes(status)
}

export function isAboutStatus({ words, text }: FailureRule): boolean {
  return words === undefined && text === undefined
}
