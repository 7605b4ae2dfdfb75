/**
 * One expected failure. `status` is the HTTP status on the relay; the management API reports logical failures with HTTP 200 and
 * `success: false`, except the rows marked `management`, whose status is sent as it is.
 *
 * 401 and 403 of the management API mean "session lost" or "role too low" and nothing else: the console signs out on them. `type`
 * is the OpenAI error type. `retry` tells a client whether sending the same request again can help. Texts contain `{name}`
 * placeholders, filled from the refusal's parameters.
 */
export interface CatalogueEntry {
  readonly status: number
  readonly type:
    | 'invalid_request_error'
    | 'authentication_error'
    | 'permission_error'
    | 'insufficient_quota'
    | 'rate_limit_error'
    | 'upstream_error'
    | 'sluice_error'
  readonly text: string
  /** The same in Chinese, with the same placeholders. */
  readonly chinese: string
  readonly retry: 'never' | 'later' | 'changed'
  readonly management?: true
}
