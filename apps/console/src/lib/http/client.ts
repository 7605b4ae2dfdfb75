import { orList } from '@sluice/contract/absence'
import type { RouteSpec } from '@sluice/contract/route'
import * as v from 'valibot'
import type { Locale } from '../i18n/texts.ts'
import type { Call, CallInput, Failure, FailureKind, Reply, Success } from './call.ts'
import { readReply } from './read-reply.ts'
import { requestInit, requestUrl } from './request.ts'

/** Longest wait for a reply, in milliseconds. */
const CALL_TIMEOUT_MS = 10_000

/** A refusal has `message`, `code` and `data` too. */
const envelopeSchema = orList(
  v.object({
    success: v.optional(v.boolean()),
    message: v.string(),
    code: v.string(),
    total: v.number(),
    data: v.unknown(),
  }),
  'data',
)

export interface ClientParts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Unix milliseconds. */
  readonly now: () => number
  /** Language of the gateway's messages. */
  readonly locale: () => Locale
  /** A signal that aborts after this many milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal
  /** Called once for every reply that ends the session. */
  readonly onSessionLost: () => void
  /** Called with replies that break the contract. The text names route and field, never values. */
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

/** `undefined` when the body is not JSON. A broken connection rejects. */
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
  const envelope = readReply(envelopeSchema, body)?.value
  // Some replies of the family have no `success`; the status then decides.
  const { success = status < 400, message = '' } = envelope ?? {}
  if (isSessionLoss(route.path, status, { success, message })) {
    parts.onSessionLost()
    return failure('session', { ...envelope, status })
  }
  if (input.signal?.aborted === true) return failure('aborted')
  if (!success) return failure('refused', { ...envelope, status })
  const data = envelope && (readPart(route.data, envelope.data) ?? (route.confirmed ? {} : undefined))
  const extra = readPart(route.extra, body)
  if (data === undefined || extra === undefined) {
    parts.onBrokenReply(`${route.method} ${route.path}: the reply holds nothing that can be shown`)
    return failure('reply', { ...envelope, status })
  }
  // The schemas are those of R, but TypeScript cannot follow them through the optional property.
  const checked = { data: data.value, extra: extra.value } as Pick<Success<R>, 'data' | 'extra'>
  return { ok: true, ...checked, total: totalOf(envelope?.total, data.value, input.query), message }
}

/** An empty result if the route defines no schema. */
function readPart(schema: v.GenericSchema | undefined, value: unknown): { readonly value?: unknown } | undefined {
  return schema === undefined ? {} : readReply(schema, value)
}

/** If the server gives no total, counts the rows so far: the previous pages, and this one. */
function totalOf(total = Number.NaN, data: unknown, query: unknown): number {
  if (!Number.isNaN(total)) return total
  if (!Array.isArray(data)) return 0
  const { p = 0, size = 0 } = (query as { readonly p?: unknown; readonly size?: unknown }) ?? {}
  return (Number(p) * Number(size) || 0) + data.length
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

/** With these texts in a reply with HTTP 200, servers of the family say that the session is gone. */
const LOSS_TEXTS = ['access token is invalid', 'not logged in', 'No permission to perform this operation'] as const

/** Serves visitors as well as users, so a refusal there says nothing about the session. */
const OPEN_TO_VISITORS = '/api/models/display'

export function isSessionLoss(path: string, status: number, envelope: { success: boolean; message: string }): boolean {
  if (path === OPEN_TO_VISITORS) return false
  if (status === 401 || status === 403) return true
  return !envelope.success && LOSS_TEXTS.some((text) => envelope.message.includes(text))
}
