/**
 * A request body that cannot be relayed, as a value. Structurally a `Refusal` of the error catalogue:
 * `invalid_json` carries `reason`, `invalid_body` carries `field` and `rule`, `duplicate_key` carries `field`.
 */
export interface BodyRefusal {
  readonly code: 'invalid_json' | 'invalid_body' | 'duplicate_key'
  readonly params: Readonly<Record<string, string>>
  /** Path of the field at fault, in the caller's naming (`stream_options.include_usage`). */
  readonly field?: string
}

/** Whether a value is a refusal, rather than a step's ordinary result. */
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
