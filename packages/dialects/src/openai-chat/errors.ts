/** An error as it goes to an OpenAI client. */
export interface WireError {
  readonly message: string
  readonly type: string
  readonly code: string | number | null
  readonly param?: string | null
}

/** An upstream's error, whatever its shape was. */
export interface UpstreamError {
  /** At most 2,000 characters, control characters removed. */
  readonly message: string
  readonly type: string | undefined
  readonly code: string | number | undefined
  readonly param: string | undefined
}

/** `{"error":{message,type,param,code}}` as UTF-8; the message ends with ` (request id: X)`. */
export declare function encodeError(error: WireError, requestId: string): Uint8Array

/** The same inside a stream: one `data:` event. Follow it with `DONE_EVENT`. */
export declare function encodeErrorEvent(error: WireError, requestId: string): Uint8Array

/** `data: [DONE]` and its blank line. A fresh copy per call, so nobody can change a shared one. */
export declare function doneEvent(): Uint8Array

/** Reads an upstream's failed reply (status 4xx or 5xx), tolerant of every vendor's shape, HTML included. */
export declare function readUpstreamError(body: Uint8Array): UpstreamError

/** The error inside a parsed 200 body or stream chunk, if it is one. */
export declare function errorInside(reply: unknown): UpstreamError | undefined
