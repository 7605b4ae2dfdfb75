import type { BodyInput, Extra, QueryInput, ReadData, RouteSpec } from '@sluice/contract/route'
import { createContext, useContext } from 'react'
import { diagnostics } from '../diagnostics.ts'

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type Slot<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : object extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value }

type Params<R extends RouteSpec> = [ParamNames<R['path']>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Readonly<Record<ParamNames<R['path']>, string | number>> }

export type CallInput<R extends RouteSpec> = Params<R> &
  Slot<'query', QueryInput<R>> &
  Slot<'body', BodyInput<R>> & { readonly signal?: AbortSignal | undefined }

export interface Success<R extends RouteSpec> {
  readonly ok: true
  /** Read by the schema of the route, see `read-reply.ts`; `undefined` for routes without data. */
  readonly data: ReadData<R>
  readonly extra: Extra<R>
  /** Number of matching rows; 0 when the route is not paged. */
  readonly total: number
  readonly message: string
}

/**
 * Why a call has no result.
 * - `refused`: the gateway said no; `message` is its text, possibly empty.
 * - `session`: the session is lost; the visitor is already being sent to sign-in, so show nothing.
 * - `timeout`, `network`: no reply arrived.
 * - `reply`: a reply arrived that contains nothing of what was requested.
 * - `aborted`: the caller no longer waits for it, so show nothing.
 */
export type FailureKind = 'refused' | 'session' | 'timeout' | 'network' | 'reply' | 'aborted'

export interface Failure {
  readonly ok: false
  readonly kind: FailureKind
  readonly message: string
  /** HTTP status; 0 when no reply arrived. */
  readonly status: number
  /** Code of the contract's error catalogue, when the gateway sent one. */
  readonly code: string
  /** `data` of the envelope, unchecked. Sign-in puts its `totp_required` flag there. */
  readonly data: unknown
}

export type Reply<R extends RouteSpec> = Success<R> | Failure

/** Performs a management call. Never rejects: anything that can go wrong is a `Failure`. */
export type Call = <R extends RouteSpec>(route: R, input: CallInput<R>) => Promise<Reply<R>>

/** Carries a failure through TanStack Query, which only handles thrown errors. */
export class CallFailed extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message || failure.kind)
    this.failure = failure
  }
}

/**
 * Throws `CallFailed` for a failure. For query and mutation functions only. Writes `note` to the browser's console if the failure
 * is worth reporting.
 */
export function successOf<S extends { readonly ok: true }>(reply: S | Failure, note?: string): S {
  if (reply.ok) return reply
  if (note !== undefined && isWorthTelling(reply)) diagnostics.error(note)
  throw new CallFailed(reply)
}

/** False for an aborted call or a lost session, which users need not see. */
export function isWorthTelling(failure: Failure): boolean {
  return failure.kind !== 'aborted' && failure.kind !== 'session'
}

export const CallContext = createContext<Call | undefined>(undefined)

export function useCall(): Call {
  const call = useContext(CallContext)
  if (call === undefined) throw new Error('useCall needs a CallContext above it')
  return call
}
