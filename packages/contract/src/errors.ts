import { ACCOUNT_ERRORS } from './errors-account.ts'
import { CHANNEL_ERRORS } from './errors-channels.ts'
import { PROVIDER_ERRORS } from './errors-providers.ts'

/**
 * The one catalogue of expected failures. `status` is the HTTP status on the relay; the management API answers
 * logical failures with HTTP 200 and `success: false`, except the rows marked `management`, whose status is sent as it is.
 *
 * 401 and 403 of the management API mean "session lost" or "role too low" and nothing else: the console signs out on them.
 * `type` is the OpenAI error type. `retry` tells a client whether sending the same request again can help.
 * Texts hold `{name}` places, filled from the refusal's parameters.
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
  readonly retry: 'never' | 'later' | 'changed'
  readonly management?: true
}

export const ERRORS = {
  ...ACCOUNT_ERRORS,
  ...PROVIDER_ERRORS,
  ...CHANNEL_ERRORS,
  // the request itself
  invalid_json: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    management: true,
    text: 'The request body is not valid JSON: {reason}.',
  },
  invalid_body: { status: 400, type: 'invalid_request_error', retry: 'changed', text: '{field}: {rule}.' },
  duplicate_key: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The request body names "{field}" more than once; send it once.',
  },
  unsupported_content_type: {
    status: 415,
    type: 'invalid_request_error',
    retry: 'changed',
    management: true,
    text: 'Content-Type must be application/json, not {got}.',
  },
  unsupported_encoding: {
    status: 415,
    type: 'invalid_request_error',
    retry: 'changed',
    management: true,
    text: 'Content-Encoding {got} is not accepted; send the body plain.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    retry: 'changed',
    management: true,
    text: 'The request body exceeds the limit of {limit} bytes.',
  },
  body_timeout: {
    status: 408,
    type: 'invalid_request_error',
    retry: 'later',
    management: true,
    text: 'The request body did not arrive within {seconds} s.',
  },
  body_too_slow: {
    status: 408,
    type: 'invalid_request_error',
    retry: 'later',
    management: true,
    text: 'The request body arrives at less than {rate} bytes per second.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    retry: 'changed',
    management: true,
    text: '{method} is not offered at {path}; use {allowed}.',
  },
  several_hosts: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    management: true,
    text: 'The request has more than one Host header, or one that is not a host with a port.',
  },
  unknown_path: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    management: true,
    text: 'Unknown path: {method} {path}.',
  },
  not_implemented: {
    status: 501,
    type: 'invalid_request_error',
    retry: 'never',
    text: '{path} is not offered by this gateway.',
  },
  upgrade_required: {
    status: 426,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{path} is a websocket; send an upgrade request for one (RFC 6455, version 13).',
  },
  websocket_not_offered: {
    status: 426,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{path} is not offered as a websocket; send a POST and let its answer stream.',
  },
  outside_of_api: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    text: '{method} {path} is not a path of the API, which is under /v1; the base URL of a client ends with /v1.',
  },
  upgrade_refused: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{path} is no websocket.',
  },
  session_too_long: {
    status: 408,
    type: 'invalid_request_error',
    retry: 'later',
    text: 'The session has reached its limit of {minutes} minutes.',
  },
  form_required: {
    status: 415,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The body must be a multipart/form-data form with a boundary, not {got}.',
  },
  endpoint_not_served: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'No channel serves the model "{model}" at {path}.',
  },
  upstream_credentials: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The gateway could not sign in with the provider of this channel.',
  },
  not_expressible: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field} {rule}.',
  },
  losses_refused: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The provider of this model cannot be told all of the request, and the caller allows no loss: {losses}.',
  },
  model_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The model "{model}" does not exist or this token has no access to it.',
  },
  // who asks
  missing_key: {
    status: 401,
    type: 'authentication_error',
    retry: 'changed',
    text: 'No API key was given. Send it as "Authorization: Bearer sk-…".',
  },
  invalid_key: { status: 401, type: 'authentication_error', retry: 'changed', text: 'The API key is not valid.' },
  token_disabled: { status: 401, type: 'authentication_error', retry: 'changed', text: 'This token is disabled.' },
  token_expired: { status: 401, type: 'authentication_error', retry: 'changed', text: 'This token has expired.' },
  token_exhausted: {
    status: 401,
    type: 'authentication_error',
    retry: 'changed',
    text: 'The quota of this token is used up.',
  },
  user_disabled: { status: 403, type: 'permission_error', retry: 'never', text: 'User has been banned.' },
  subnet_not_allowed: {
    status: 403,
    type: 'permission_error',
    retry: 'never',
    text: 'This token may not be used from your address.',
  },
  model_not_allowed: {
    status: 403,
    type: 'permission_error',
    retry: 'changed',
    text: 'This token may not use the model "{model}".',
  },
  channel_pin_not_allowed: {
    status: 403,
    type: 'permission_error',
    retry: 'changed',
    text: 'Only administrators may name a channel in their key.',
  },
  pinned_channel_missing: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'Channel {channel} named in the key does not exist.',
  },
  pinned_channel_disabled: {
    status: 403,
    type: 'permission_error',
    retry: 'changed',
    text: 'Channel {channel} named in the key is disabled.',
  },
  pinned_channel_unfit: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'Channel {channel} named in the key does not serve the model "{model}".',
  },
  // money
  insufficient_user_quota: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The account’s quota is too low for this request.',
  },
  pre_consume_token_quota_failed: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The token’s quota is too low for this request.',
  },
  user_budget_exhausted: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The account’s {period} budget is too low for this request. It starts anew at {resets}.',
  },
  token_budget_exhausted: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The token’s {period} budget is too low for this request. It starts anew at {resets}.',
  },
  model_price_missing: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    text: 'The model "{model}" has no price. An administrator can set one in the channel’s model configs.',
  },
  ledger_unavailable: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    text: 'Charges cannot be recorded at the moment, so no request is accepted.',
  },
  database_unavailable: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    management: true,
    text: 'The database cannot be used at the moment: it is full, unreachable or slow. Try again shortly.',
  },
  // upstream
  no_channel: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    text: 'No available channel for model {model} under group {group}.',
  },
  providers_limited: {
    status: 429,
    type: 'rate_limit_error',
    retry: 'later',
    text: 'Every provider of the model "{model}" has asked for a pause. Try again in {seconds} s.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    retry: 'later',
    text: 'Over the limit of {limit}. Try again in {seconds} s.',
  },
  overloaded: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    management: true,
    text: 'The gateway is at its limit of {limit}. Try again shortly.',
  },
  shutting_down: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    management: true,
    text: 'The gateway is shutting down. Try again shortly.',
  },
  upstream_unreachable: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The provider could not be reached.',
  },
  upstream_timeout: {
    status: 504,
    type: 'upstream_error',
    retry: 'later',
    text: 'The provider did not answer within {seconds} s.',
  },
  upstream_broken: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The provider’s answer broke off: {reason}.',
  },
  upstream_invalid: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The provider’s answer could not be understood: {reason}.',
  },
  upstream_rejected: { status: 502, type: 'upstream_error', retry: 'later', text: '{message}' },
  stream_quota_exhausted: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The quota was used up during this answer.',
  },
  // management
  not_found: { status: 404, type: 'invalid_request_error', retry: 'never', text: '{what} not found.' },
  trace_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    management: true,
    text: 'Trace not found.',
  },
  receipt_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    management: true,
    text: 'There is no receipt: nothing was charged here, or its rows were cleared.',
  },
  refund_too_large: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'More cannot be given back than is left of the charge: {left} quota points.',
  },
  refused: { status: 400, type: 'invalid_request_error', retry: 'changed', text: '{reason}' },
  internal: {
    status: 500,
    type: 'sluice_error',
    retry: 'later',
    management: true,
    text: 'Something went wrong here; the request id helps to find it.',
  },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof ERRORS

/** An expected failure as a value: a catalogue code and what fills the text's places. */
export interface Refusal {
  readonly code: ErrorCode
  readonly params?: Readonly<Record<string, string | number>>
  /** Request field that is at fault, in the caller's own naming. */
  readonly field?: string
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
  /** `data` of the envelope: what the management API tells the console to ask for next. */
  readonly data?: Readonly<Record<string, true>>
}

/** The English text of a refusal. */
export function refusalText({ code, params }: Refusal): string {
  return withParams(ERRORS[code].text, params)
}

/** A text whose `{name}` places are filled; one without a value stays. */
export function withParams(text: string, params: Refusal['params'] = {}): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place))
}
