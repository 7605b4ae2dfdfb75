import type { FetchGuarded, FetchFaultKind, GuardedRequest } from '../outbound/guarded-fetch.ts'
import type { Unidentified } from './provider.ts'

/** The console gives a call 10 s in total, and a sign-in makes two or three of these requests. */
const TIMEOUT_MS = 5_000
const REPLY_BYTES = 262_144

export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON object from a provider, whatever its status: OAuth errors are JSON as well. */
export type ProviderReply = { readonly ok: true; readonly status: number; readonly json: JsonObject } | Unidentified

/** Faults that may soon be over. All others depend on the provider's configuration. */
const PASSING: readonly FetchFaultKind[] = ['unreachable', 'timeout', 'broken', 'cancelled']

/** Calls a provider's endpoint. Redirects are refused: they would carry the code or the token elsewhere. */
export async function askProvider(
  fetchGuarded: FetchGuarded,
  request: Omit<GuardedRequest, 'timeoutMs' | 'maxBytes' | 'redirects'>,
): Promise<ProviderReply> {
  const headers = { accept: 'application/json', 'user-agent': 'Sluice', ...request.headers }
  const reply = await fetchGuarded({ ...request, headers, timeoutMs: TIMEOUT_MS, maxBytes: REPLY_BYTES })
  const outage = outageOf(reply)
  if (outage !== undefined) return outage
  if (!reply.ok) return { ok: false, reason: reply.reason }
  const json = parseObject(reply.body.toString())
  return json === undefined
    ? { ok: false, reason: `it answered ${reply.status} without JSON` }
    : { ok: true, status: reply.status, json }
}

/** A temporary failure: the provider was not reached in time, or its server has a problem. */
export function outageOf(reply: Awaited<ReturnType<FetchGuarded>>): Required<Unidentified> | undefined {
  if (!reply.ok) {
    return PASSING.includes(reply.fault) ? { ok: false, reason: reply.reason, isUnasked: true } : undefined
  }
  return reply.status >= 500 ? { ok: false, reason: `it answered ${reply.status}`, isUnasked: true } : undefined
}

export function postJson(body: JsonObject): Pick<GuardedRequest, 'method' | 'headers' | 'body'> {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  }
}

/** A text field; empty when it is missing or something else. */
export function textOf(json: JsonObject, field: string): string {
  const value = json[field]
  return typeof value === 'string' ? value : ''
}

/** An OAuth error code, if it looks like one (RFC 6749 section 5.2). */
export function errorCode(json: JsonObject): string {
  const code = textOf(json, 'error')
  return /^[\w.-]{1,60}$/.test(code) ? `: ${code}` : ''
}

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}
