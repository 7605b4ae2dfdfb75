import { type ErrorDetails, errorDetails, fieldAtFault } from '../error-details.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'

/** An error as sent to a client, in OpenAI's terms. */
export interface WireError {
  readonly message: string
  readonly type: string
  readonly code: string | null
  readonly param?: string | null
  /** Sent to clients of the same dialect. */
  readonly details?: ErrorDetails | undefined
}

export interface UpstreamError {
  /** At most 2,000 characters, control characters removed. May echo parts of the request. */
  readonly message: string
  readonly type: string | undefined
  readonly code: string | number | undefined
  readonly param: string | undefined
  /** May echo parts of the request. */
  readonly details?: ErrorDetails
}

const MESSAGE_LIMIT = 2_000
const NO_MESSAGE = 'the provider reported an error without a message'
/** Bytes of an unreadable error body that are shown. */
const RAW_LIMIT = 512

/** `{"error":{message,type,param,code}}` as UTF-8; the message ends with ` (request id: X)`. */
export function encodeError(error: WireError, requestId: string): Uint8Array {
  return new TextEncoder().encode(errorJson(error, requestId))
}

/** The error as one `data:` event; follow it with `doneEvent()`. */
export function encodeErrorEvent(error: WireError, requestId: string): Uint8Array {
  return new TextEncoder().encode(`data: ${errorJson(error, requestId)}\n\n`)
}

/** `data: [DONE]` and its blank line. Returns a new array each time, so that no caller can change a shared one. */
export function doneEvent(): Uint8Array {
  return new TextEncoder().encode('data: [DONE]\n\n')
}

/** Reads an upstream's failed reply (status 4xx or 5xx) in any vendor's format, including HTML pages. */
export function readUpstreamError(body: Uint8Array): UpstreamError {
  const text = new TextDecoder().decode(body)
  const reply = parseJson(text)
  // Google's compatible endpoint wraps its one error object in a list.
  const fields = asObject(Array.isArray(reply) ? (reply[0] as unknown) : reply)
  return (fields && describe(fields)) ?? upstreamError(text.slice(0, RAW_LIMIT), {})
}

/** The members that `errorInside` reads. */
export const ERROR_MEMBERS = [
  'error',
  'code',
  'message',
  'msg',
  'type',
  'param',
  'object',
  'success',
  'errors',
  'error_code',
  'error_msg',
  'base_resp',
  'header',
  'detail',
] as const

/** Indicate an error even next to choices; other names can have any meaning there. */
export const ERRORS_BESIDE_CHOICES = ['error', 'base_resp'] as const

/**
 * The error in a parsed 200 body or stream chunk: a filled `error`, `object: "error"`, Spark's and DashScope's `code`, Baidu's
 * `error_code`, MiniMax's `base_resp.status_code`, Cloudflare's `success: false`.
 */
export function errorInside(reply: unknown): UpstreamError | undefined {
  const fields = asObject(reply)
  if (fields === undefined) return undefined
  const answers = Array.isArray(fields['choices']) && fields['choices'].length > 0
  const failed =
    isFilled(fields['error']) ||
    isFailureCode(asObject(fields['base_resp'])?.['status_code']) ||
    (!answers &&
      (fields['object'] === 'error' ||
        fields['success'] === false ||
        isFailureCode(fields['error_code']) ||
        (isFailureCode(fields['code']) && typeof fields['message'] === 'string')))
  return failed ? (describe(fields) ?? upstreamError(NO_MESSAGE, {})) : undefined
}

/** Tries the places where vendors put the message, most informative first. */
function describe(fields: JsonObject): UpstreamError | undefined {
  const error = asObject(fields['error']) ?? asObject(asObject(fields['response'])?.['error'])
  const message =
    firstText(error?.['message'], fields['error']) ??
    firstText(fields['message'], fields['msg'], fields['err']) ??
    firstText(member(fields['detail'], 'msg'), fields['detail'], member(fields['errors'], 'message')) ??
    firstText(
      asObject(fields['base_resp'])?.['status_msg'],
      fields['error_msg'],
      asObject(fields['header'])?.['message'],
    )
  const baseCode = asObject(fields['base_resp'])?.['status_code']
  const listed = member(fields['errors'], 'code')
  const own = firstCode(error?.['code'], error ? undefined : fields['code'], fields['error_code'], baseCode, listed)
  const code = googleReason(error?.['details']) ?? own
  if (message === undefined && error === undefined && code === undefined) return undefined
  const details = errorDetails(error, fields['type'])
  const given = upstreamError(message ?? NO_MESSAGE, {
    type: firstText(error?.['type'], error?.['status'], error ? undefined : fields['type']),
    code,
    param: firstText(error?.['param'], error ? undefined : fields['param'], fieldAtFault(details)),
  })
  return details === undefined ? given : { ...given, details }
}

function upstreamError(
  message: string,
  { type, code, param }: { type?: string | undefined; code?: string | number | undefined; param?: string | undefined },
): UpstreamError {
  return { message: printable(message).slice(0, MESSAGE_LIMIT) || NO_MESSAGE, type, code, param }
}

function errorJson(error: WireError, requestId: string): string {
  const message = `${error.message} (request id: ${requestId})`
  const { details } = error
  const more = details?.dialect === 'openai-chat' ? { innererror: details.value } : {}
  return JSON.stringify({ error: { message, type: error.type, param: error.param ?? null, code: error.code, ...more } })
}

/** Some vendors use `error: null`, `""` and `{}` for success. */
function isFilled(error: unknown): boolean {
  if (typeof error === 'string') return error !== ''
  const fields = asObject(error)
  return fields !== undefined && Object.values(fields).some((value) => value !== null && value !== '' && value !== 0)
}

/** Vendors write success as 0, "0", 200, "200", "ok" or "Success". */
function isFailureCode(code: unknown): boolean {
  if (typeof code === 'number') return code !== 0 && code !== 200
  return typeof code === 'string' && !/^(0|200|ok|success)?$/i.test(code)
}

function firstText(...candidates: readonly unknown[]): string | undefined {
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate.trim() !== '')
}

function firstCode(...candidates: readonly unknown[]): string | number | undefined {
  return candidates.find(
    (candidate): candidate is string | number =>
      typeof candidate === 'number' || (typeof candidate === 'string' && candidate !== ''),
  )
}

/** Google's code repeats the status; the reason is in the details: a wrong key is a 400 with the reason `API_KEY_INVALID`. */
function googleReason(details: unknown): string | undefined {
  const list: readonly unknown[] = Array.isArray(details) ? details : []
  return firstText(...list.map((detail) => asObject(detail)?.['reason']))
}

function member(list: unknown, name: string): unknown {
  return Array.isArray(list) ? asObject(list[0])?.[name] : undefined
}

/** One line without control characters. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}
