/**
 * One expected failure. `status` is the HTTP status on the relay; the management API reports logical failures with HTTP 200 and
 * `success: false`, except for entries marked `management`, whose status is sent.
 *
 * In the management API, 401 and 403 mean only "session lost" or "role too low": the console signs out on them. `type` is the
 * OpenAI error type. `retry` tells a client whether it can help to repeat the request. Texts contain `{name}` placeholders.
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
  /** Has the same placeholders. */
  readonly chinese: string
  readonly retry: 'never' | 'later' | 'changed'
  readonly management?: true
}
