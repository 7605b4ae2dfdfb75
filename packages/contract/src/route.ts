import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { Capability } from './capability.ts'

/**
 * Who may call. `public`: everyone. `optional`: everyone, but signed-in users get their own view. `api_key`: the holder of an API
 * key, as on the relay; sessions are ignored. Otherwise signed-in users with the capability.
 */
export type Access = Capability | 'public' | 'optional' | 'api_key'

/** True when a call needs a session or an access token. */
export function needsSession(access: Access): access is Capability {
  return access !== 'public' && access !== 'optional' && access !== 'api_key'
}

/**
 * One management call as data: the server binds it, the console derives its client from it, and OpenAPI and the coverage test list
 * it. Paths keep the family's form; `:id` marks a row id, all other parameters are in `params`, and a trailing slash is accepted
 * and optional on every route.
 */
export type RouteSpec = RouteForm &
  (
    | {
        readonly method: 'GET'
        /**
         * Whether the call changes something besides the caller's own session, as some GETs of the family do. Every GET must state
         * it: those that change something are guarded against foreign pages like every other method.
         */
        readonly changes: boolean
      }
    | {
        readonly method: 'POST' | 'PUT' | 'DELETE'
        /** Reads with a body, changes nothing and is not recorded. */
        readonly changes?: false
      }
  )

export function changesSomething({ changes }: RouteSpec): boolean {
  return changes !== false
}

interface RouteForm {
  readonly path: `/api/${string}` | `/dashboard/${string}` | `/v1/dashboard/${string}` | '/v1/usage'
  /** Checked before any handler code runs. */
  readonly access: Access
  /** One line for the API document. */
  readonly summary: string
  /** The query string; values arrive as strings, so number fields use the `query*` schemas of `scalars.ts`. */
  readonly query?: GenericSchema
  readonly body?: GenericSchema
  /** The body is a raw file of any type, which the handler reads itself. */
  readonly upload?: true
  /** The body when the query has `status_only`: the call then changes only the status. */
  readonly statusBody?: GenericSchema
  /** Path parameters other than `:id`, each with the regular expression (without anchors) that a value must match. */
  readonly params?: Readonly<Record<string, string>>
  /** Ids of this resource exceed 32 bits. */
  readonly longId?: true
  /** Schema of `data` in the reply envelope; absent when the call returns no data. */
  readonly data?: GenericSchema
  /** The specification names no `data` here: other servers only confirm success. */
  readonly confirmed?: true
  /** `success` of a full reply is the result of what was requested (the test of a channel): it can be false. */
  readonly reportsOutcome?: true
  /** True when the envelope carries `total` next to `data`. */
  readonly paged?: true
  /** Schema of fields next to `data` in the envelope (`time` and `modelName` of a channel test). */
  readonly extra?: GenericSchema
  /**
   * The reply is `data` without an envelope, and a failure is OpenAI's error object with its status: calls that OpenAI's own
   * clients make.
   */
  readonly bare?: true
}

type SchemaIn<S> = S extends GenericSchema ? InferInput<S> : undefined
type SchemaOut<S> = S extends GenericSchema ? InferOutput<S> : undefined
type Part<R, K extends string> = R extends Record<K, infer S> ? S : undefined
type StatusPart<R, Empty> = R extends Record<'statusBody', infer S> ? S : Empty

/** What a handler receives from the path besides the id. */
export type PathParams<R> = R extends { readonly params: infer P } ? { readonly [Name in keyof P]: string } : object
/** What a caller passes as query. */
export type QueryInput<R> = SchemaIn<Part<R, 'query'>>
/** What a handler receives as query. */
export type QueryOutput<R> = SchemaOut<Part<R, 'query'>>
/** What a caller sends as body. */
export type BodyInput<R> = SchemaIn<Part<R, 'body'> | StatusPart<R, never>>
/** What a handler receives as body, without `status_only`. */
export type BodyOutput<R> = SchemaOut<Part<R, 'body'>>
/** What a handler receives as body when the query has `status_only`. */
export type StatusBodyOutput<R> = SchemaOut<StatusPart<R, undefined>>
/** `data` of a successful reply. */
export type Data<R> = SchemaOut<Part<R, 'data'>>
/** The same for a caller that does not know whether the server is Sluice. */
export type ReadData<R> = R extends { readonly confirmed: true } ? Data<R> | undefined : Data<R>
/** Fields next to `data` in a reply. */
export type Extra<R> = SchemaOut<Part<R, 'extra'>>

/** Reply envelope of the management API. Logical failures return HTTP 200 with `success: false`. */
export interface Envelope<D> {
  readonly success: boolean
  readonly message: string
  readonly data?: D
  readonly total?: number
  /** Catalogue code of a failure; the console translates by it, other clients read `message`. */
  readonly code?: string
}

/** Keeps a route's literal types; the only way routes are made. The mark below lets the bundler drop those that no page calls. */
/* @__NO_SIDE_EFFECTS__ */
export function defineRoute<const R extends RouteSpec>(spec: R): R {
  return spec
}
