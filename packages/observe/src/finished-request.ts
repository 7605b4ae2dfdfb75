/** One call to a provider for a request. Times in unix milliseconds. */
export interface FinishedAttempt {
  readonly channel: number
  /** Name of the channel's type, such as OpenAI. */
  readonly provider: string
  /** The model under the provider's name. */
  readonly model: string
  readonly started: number
  readonly ended: number
  /** The provider's status; 0 without an answer. */
  readonly status: number
  /** Code of the error catalogue; empty on success. */
  readonly error: string
  /** Milliseconds from sending to the first byte; undefined if no byte arrived or the time is not known. */
  readonly firstByteMs: number | undefined
}

/** Classes are disjoint. */
export interface FinishedUsage {
  readonly input: number
  readonly cachedInput: number
  readonly cacheWrite: number
  readonly output: number
  /** Part of `output`. */
  readonly reasoning: number
}

/** A durable charge, for any kind of call. */
export interface FinishedCharge {
  readonly channel: number
  /** The model as requested. */
  readonly model: string
  readonly usage: FinishedUsage
  /** Quota points. */
  readonly quota: number
}

/** A finished request of the relay, as reported to metrics and traces: never a prompt, an answer, a key or an address. */
export interface FinishedRequest {
  readonly id: string
  /** The client's `traceparent`, if it sent one. */
  readonly traceparent: string | undefined
  readonly method: string
  /** One of the paths that the relay offers; a placeholder for those that contain names. */
  readonly endpoint: string
  /** The requested model, if some channel serves it; otherwise empty. */
  readonly model: string
  readonly stream: boolean
  /** The client's status; 499 if it left. */
  readonly status: number
  /** Code of the error catalogue; empty on success. */
  readonly code: string
  /** How the answer ended: `complete`, or as in the log row; empty without an answer. */
  readonly ending: string
  /** Unix milliseconds; `firstByte` is 0 without an answer. */
  readonly received: number
  readonly firstByte: number
  readonly ended: number
  /** In order; if the request was answered, the last one answered it. */
  readonly attempts: readonly FinishedAttempt[]
  /** Undefined if nothing was charged. */
  readonly usage: FinishedUsage | undefined
  /** Quota points. */
  readonly quota: number
  /** How long the end of the answer waited for the commit of its charge, if it did. */
  readonly commitMs: number | undefined
}
