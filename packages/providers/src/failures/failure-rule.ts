/**
 * Who is at fault when a provider answers with an error. caller → the request is wrong everywhere · request_here → this provider or
 * model cannot take the request, but another might: too long, a field that is unknown here, a content policy · key → the key is
 * refused · account → the account behind the key is refused: no credit, disabled, over its spending limit, wrong country · limited
 * → too many calls at the moment · unknown_model → the model is not served to this key: unknown, retired, not enabled · provider →
 * the provider does not work
 */
export type Fault = 'caller' | 'request_here' | 'key' | 'account' | 'limited' | 'unknown_model' | 'provider'

/**
 * Whose fault a vendor's error is when the status alone does not say. A rule without `words` and `text` matches by status only.
 * Each rule comes from a recorded failure under `tests/recorded/failures`.
 */
export interface FailureRule {
  readonly fault: Fault
  /** Absent for any status. */
  readonly statuses?: readonly number[]
  /** Fixed words of the protocol, one of which must be the error's type, code or reason. */
  readonly words?: readonly string[]
  /**
   * Matches the whole message, for vendors whose words are not specific. It must match from the first character to the last and
   * leave no room for text whose length or content the request determines: vendors quote requests, and a caller must not be able to
   * forge such a sentence.
   */
  readonly text?: RegExp
}

export interface SaidError {
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
