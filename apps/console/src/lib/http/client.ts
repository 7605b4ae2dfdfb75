import type { RouteSpec } from '@sluice/contract/route'
import * as v from 'valibot'
import type { Locale } from '../i18n/texts.ts'
import type { Call, CallInput, Failure, FailureKind, Reply } from './call.ts'
import { requestInit, requestUrl } from './request.ts'
import { isSessionLoss } from './session-loss.ts'

/** Longest wait for an answer, in milliseconds. */
const CALL_TIMEOUT_MS = 10_000

const envelopeSchema = v.looseObject({
  success: v.optional(v.boolean(), false),
  message: v.optional(v.string(), ''),
  code: v.optional(v.string(), ''),
  total: v.optional(v.number(), 0),
  data: v.optional(v.unknown()),
})
type Envelope = v.InferOutput<typeof envelopeSchema>

export interface ClientParts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Unix milliseconds. */
  readonly now: () => number
  /** The language of the gateway's messages. */
  readonly locale: () => Locale
  /** A signal that aborts after so many milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal
  /** Called once for every reply that ends the session. */
  readonly onSessionLost: () => void
  /** Told about replies that break the contract; the text names route and field, never values. */
  readonly onBrokenReply: (text: string) => void
}

export function createClient(parts: ClientParts): Call {
  return async (route, input) => {
    const timeout = parts.timeout(CALL_TIMEOUT_MS)
    const signal = input.signal === undefined ? timeout : AbortSignal.any([timeout, input.signal])
    const url = requestUrl(route, input, parts.now())
    let response: Response
    let body: unknown
    try {
      response = await parts.fetch(url, { ...requestInit(route, input, parts.locale()), signal })
      body = await readJson(response)
    } catch {
      if (input.signal?.aborted === true) return failure('aborted')
      return failure(timeout.aborted ? 'timeout' : 'network')
    }
    return interpret(parts, route, input, response.status, body)
  }
}

/** Parsed body, or `undefined` when it is no JSON. A broken connection rejects. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function interpret<R extends RouteSpec>(
  parts: ClientParts,
  route: R,
  input: CallInput<R>,
  status: number,
  body: unknown,
): Reply<R> {
  const parsed = v.safeParse(envelopeSchema, body)
  const envelope: Envelope = parsed.success ? parsed.output : { success: false, message: '', code: '', total: 0 }
  if (isSessionLoss(route.path, status, envelope)) {
    parts.onSessionLost()
    return failure('session', { ...envelope, status })
  }
  if (input.signal?.aborted === true) return failure('aborted')
  if (!parsed.success && status < 400) {
    parts.onBrokenReply(`${route.method} ${route.path}: the reply is no envelope`)
    return failure('reply', { status })
  }
  if (!envelope.success) return failure('refused', { ...envelope, status })
  return success(parts, route, envelope)
}

function success<R extends RouteSpec>(parts: ClientParts, route: R, envelope: Envelope): Reply<R> {
  const data = v.safeParse(route.data ?? v.undefined_(), route.data === undefined ? undefined : envelope.data)
  const extra = v.safeParse(route.extra ?? v.undefined_(), route.extra === undefined ? undefined : envelope)
  const issue = data.issues?.[0] ?? extra.issues?.[0]
  if (!data.success || !extra.success) {
    const field = issue === undefined ? '' : (v.getDotPath(issue) ?? 'data')
    parts.onBrokenReply(`${route.method} ${route.path}: ${field} is not as agreed`)
    return failure('reply', { ...envelope, status: 200 })
  }
  // The schemas above are those of R; TypeScript cannot follow them through the optional property.
  const checked = { data: data.output, extra: extra.output } as Pick<Extract<Reply<R>, { ok: true }>, 'data' | 'extra'>
  return { ok: true, ...checked, total: envelope.total, message: envelope.message }
}

function failure(kind: FailureKind, known: Partial<Omit<Failure, 'ok' | 'kind'>> = {}): Failure {
  return {
    ok: false,
    kind,
    message: known.message ?? '',
    status: known.status ?? 0,
    code: known.code ?? '',
    data: known.data,
  }
}
