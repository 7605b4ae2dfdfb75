/**
 * Why a request body cannot be relayed. Structurally a `Refusal` of the error catalogue: `invalid_json` has `reason`,
 * `invalid_body` has `field` and `rule`, `duplicate_key` has `field`.
 */
export interface BodyRefusal {
  readonly code: 'invalid_json' | 'invalid_body' | 'duplicate_key'
  readonly params: Readonly<Record<string, string>>
  /** Path of the field in the caller's naming (`stream_options.include_usage`). */
  readonly field?: string
}

export function isBodyRefusal(value: object): value is BodyRefusal {
  return 'code' in value
}

export function invalidJson(reason: string): BodyRefusal {
  return { code: 'invalid_json', params: { reason } }
}

export function invalidField(field: string, rule: string): BodyRefusal {
  return { code: 'invalid_body', params: { field, rule }, field }
}

export function duplicateKey(field: string): BodyRefusal {
  return { code: 'duplicate_key', params: { field }, field }
}
