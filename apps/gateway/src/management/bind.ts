import type { Refusal } from '@sluice/contract/errors'
import type {
  BodyOutput,
  Data,
  Extra,
  PathParams,
  QueryOutput,
  RouteSpec,
  StatusBodyOutput,
} from '@sluice/contract/route'
import type { Context } from 'hono'
import type { GenericSchema } from 'valibot'
import type { KeyHolder } from './ports.ts'
import type { Caller } from './sessions/caller.ts'

/** The input of a handler. Everything has been checked, and the caller may use the route. */
export interface Call<R extends RouteSpec> {
  /** Undefined where no session was looked up, or where a guest may call. */
  readonly caller: CallerOf<R['access']>
  /** The owner of the API key; on `api_key` routes only. */
  readonly holder: R['access'] extends 'api_key' ? KeyHolder : undefined
  readonly query: QueryOutput<R>
  readonly body: BodyOutput<R>
  /** The `:id` of the path; 0 on routes without one. */
  readonly id: number
  /** The other path parameters, each in the form that the route declares. */
  readonly params: PathParams<R>
  readonly context: Context
}

type CallerOf<A> = A extends 'public' | 'api_key' ? undefined : A extends 'optional' ? Caller | undefined : Caller

export type StatusCall<R extends RouteSpec> = Omit<Call<R>, 'body'> & { readonly body: StatusBodyOutput<R> }

/** A reply that is not a refusal. `message` is empty unless the call reports something. */
export type Answer<R extends RouteSpec> = Pick<AnyAnswer, 'message' | 'success' | 'events' | 'isKept'> &
  Part<'data', R, Data<R>> &
  (R extends { paged: true } ? { readonly total: number } : object) &
  Part<'extra', R, Extra<R>>

type Part<K extends 'data' | 'extra', R, T> = R extends Record<K, GenericSchema> ? Readonly<Record<K, T>> : object

export type Handler<R extends RouteSpec> = (call: Call<R>) => Promise<Answer<R> | Refusal>
type StatusHandler<R extends RouteSpec> = (call: StatusCall<R>) => Promise<Answer<R> | Refusal>

export interface AnyAnswer {
  readonly success?: boolean
  readonly message?: string
  readonly data?: unknown
  readonly total?: number
  readonly extra?: object
  /** Sent instead of the rest, as `text/event-stream`, to callers that accept it. */
  readonly events?: ReadableStream<Uint8Array>
  /** The handler returns this same object for every call with the same answer, so that it is serialised only once. */
  readonly isKept?: true
}

export interface AnyCall {
  readonly caller: Caller | undefined
  readonly holder: KeyHolder | undefined
  readonly query: unknown
  readonly body: unknown
  readonly statusOnly: boolean
  readonly id: number
  readonly params: Readonly<Record<string, string>>
  readonly context: Context
}

/** A route with its handler. Only `mount` runs it. */
export interface Binding {
  readonly spec: RouteSpec
  readonly run: (call: AnyCall) => Promise<AnyAnswer | Refusal>
}

export function bind<const R extends RouteSpec & { statusBody?: never }>(spec: R, handle: Handler<R>): Binding {
  return { spec, run: runner(handle) }
}

/** As `bind`, for a route whose `status_only` form has a separate handler. */
export function bindUpdate<const R extends RouteSpec & { statusBody: GenericSchema }>(
  spec: R,
  handlers: { readonly full: Handler<R>; readonly statusOnly: StatusHandler<R> },
): Binding {
  const full = runner(handlers.full)
  const statusOnly = runner(handlers.statusOnly)
  return { spec, run: (call) => (call.statusOnly ? statusOnly(call) : full(call)) }
}

/** The types hold because `mount` parsed query and body with the route's schemas and looked up the caller. */
function runner<C>(handle: (call: C) => Promise<AnyAnswer | Refusal>): Binding['run'] {
  return (call) => handle(call as C)
}
