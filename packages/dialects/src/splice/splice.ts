/** Replaces `body[start, end)` by `bytes`; an insertion when `start === end`. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

/**
 * The body with the splices applied, as chunks in order; untouched parts are views of `body`, nothing is copied.
 * Splices may come in any order; insertions at one place keep theirs. Overlapping or outside splices throw (a bug).
 */
export declare function splice(body: Uint8Array, splices: readonly Splice[]): readonly Uint8Array[]

/** Byte length of the spliced body, for Content-Length. */
export declare function splicedLength(body: Uint8Array, splices: readonly Splice[]): number
