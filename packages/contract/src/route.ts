import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { Capability } from './capability.ts'

/**
 * Who may call. `public`: everyone. `optional`: everyone, but signed-in users get their own view. `api_key`: the holder of an API
 * key, as on the relay; sessions are ignored. Otherwise signed-in users with the capability.
 */
export type Access = Capability | 'public' | 'optional' | 'api_key'

export function needsSession(access: Access): access is Capability {
  return access !== 'public' && access !== 'optional' && access !== 'api_key'
}

/**
 * One management call as data: the server binds it, the console derives its client from it, and OpenAPI and the coverage test list
 * it. Paths have the family's form; `:id` is a row id, all other parameters are in `params`, and a trailing slash is optional on
 * every route.
 */
export type RouteSpec = RouteForm &
  (
    | {
        readonly method: 'GET'
        /**
         * Whether the call changes more than the caller's own session, as some GETs of the family do. Every GET must state it:
         * those that change something are guarded against foreign pages like every other method.
         */
        readonly changes: boolean
      }
    | {
        readonly method: 'POST' | 'PUT' | 'DELETE'
        /** Reads with a body; changes nothing and is not audited. */
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
  readonly summary: string
  /** Values arrive as strings, so number fields use the `query*` schemas of `scalars.ts`. */
  readonly query?: GenericSchema
  readonly body?: GenericSchema
  /** The body is a raw file of any type, which the handler reads itself. */
  readonly upload?: true
  /** The body if the query has `status_only`, which changes only the status. */
  readonly statusBody?: GenericSchema
  /** Path parameters other than `:id`, each with the regular expression (without anchors) that its value must match. */
  readonly params?: Readonly<Record<string, string>>
  /** Ids of this resource exceed 32 bits. */
  readonly longId?: true
  /** `data` in the reply envelope; absent when the call returns none. */
  readonly data?: GenericSchema
  /** The specification names no `data`: other servers only confirm success. */
  readonly confirmed?: true
  /** `success` of a full reply is the outcome of the requested action (a channel test), and can be false. */
  readonly reportsOutcome?: true
  readonly paged?: true
  /** Fields next to `data` in the envelope (`time` and `modelName` of a channel test). */
  readonly extra?: GenericSchema
  /** The reply is `data` without an envelope, a failure OpenAI's error object with its status: calls of OpenAI's own clients. */
  readonly bare?: true
}

type SchemaIn<S> = S extends GenericSchema ? InferInput<S> : undefined
type SchemaOut<S> = S extends GenericSchema ? InferOutput<S> : undefined
type Part<R, K extends string> = R extends Record<K, infer S> ? S : undefined
type StatusPart<R, Empty> = R extends Record<'statusBody', infer S> ? S : Empty

export type PathParams<R> = R extends { readonly params: infer P } ? { readonly [Name in keyof P]: string } : object
export type QueryInput<R> = SchemaIn<Part<R, 'query'>>
export type QueryOutput<R> = SchemaOut<Part<R, 'query'>>
export type BodyInput<R> = SchemaIn<Part<R, 'body'> | StatusPart<R, never>>
export type BodyOutput<R> = SchemaOut<Part<R, 'body'>>
export type StatusBodyOutput<R> = SchemaOut<StatusPart<R, undefined>>
export type Data<R> = SchemaOut<Part<R, 'data'>>
/** For a caller that does not know whether the server is Sluice. */
export type ReadData<R> = R extends { readonly confirmed: true } ? Data<R> | undefined : Data<R>
export type Extra<R> = SchemaOut<Part<R, 'extra'>>

/** Logical failures have HTTP 200 and `success: false`. */
export interface Envelope<D> {
  readonly success: boolean
  readonly message: string
  readonly data?: D
  readonly total?: number
  /** Catalogue code of a failure; the console translates it, other clients read `message`. */
  readonly code?: string
}

/** The only way to make a route; keeps its literal types. The mark below lets the bundler drop routes that no page calls. */
/* @__NO_SIDE_EFFECTS__ */
export function defineRoute<const R extends RouteSpec>(spec: R): R {
  return spec
}
