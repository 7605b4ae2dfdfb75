/**
 * Tokens by price class, normalised from any vendor's usage object. Classes are disjoint, never negative and add up to the vendor's
 * total: `input` excludes cached and cache-write tokens. Must match the ledger's type of the same name.
 */
export interface TokenCounts {
  readonly input: number
  readonly cachedInput: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  /** Includes reasoning that the vendor counts as output. */
  readonly output: number
  /** Part of `output`; for display only. */
  readonly reasoning: number
  /** Other units; tokens in them are not counted above. */
  readonly units?: UnitCounts | undefined
}

/** Units other than text tokens; whole numbers above zero. Names and meaning are those of the ledger's unit classes. */
export interface UnitCounts {
  readonly audio_input?: number
  readonly cached_audio_input?: number
  readonly audio_output?: number
  readonly image_input?: number
  readonly cached_image_input?: number
  readonly image_output?: number
  readonly video_input?: number
  /** Reasoning that the vendor reports outside its output. */
  readonly reasoning_output?: number
  readonly call?: number
  readonly image?: number
  readonly audio_ms?: number
  readonly video_ms?: number
  readonly character?: number
  readonly page?: number
  readonly search?: number
  readonly tool_call?: number
}

/** Output tokens of all classes; 0 without counts. */
export function outputCounted(counts: TokenCounts | undefined): number {
  const { audio_output: audio = 0, image_output: image = 0, reasoning_output: reasoning = 0 } = counts?.units ?? {}
  return (counts?.output ?? 0) + audio + image + reasoning
}

export function promptTokensOf({ input, cachedInput, cacheWrite5m, cacheWrite1h, units = {} }: TokenCounts): number {
  const { audio_input: audio = 0, cached_audio_input: cachedAudio = 0, video_input: video = 0 } = units
  const { image_input: image = 0, cached_image_input: cachedImage = 0 } = units
  return input + cachedInput + cacheWrite5m + cacheWrite1h + audio + cachedAudio + video + image + cachedImage
}
