/**
 * Upper bound of the prompt's tokens. The family's cheap estimate is 0.38 tokens per byte, which covers prose in any
 * language (English needs 0.24, Chinese 0.27 to 0.35); a third more covers dense code, digits and escapes.
 */
const TOKENS_PER_BYTE = 0.5
/** Roles, separators and the start of the answer. */
const FRAME_TOKENS = 16
/** A large picture in tiles, or a page; anything larger is bounded by its bytes. */
const TOKENS_PER_MEDIUM = 2_000
const MEDIA_BYTES_PER_TOKEN = 64
/**
 * The least number of tokens held for a plain answer without a cap: its hold cannot be extended while it arrives. The model's own
 * limit would be exact, but would hold a dollar for a one-cent call; what an answer costs beyond this is still charged in full.
 */
const LEAST_PLAIN_OUTPUT = 4_096

export interface PromptSize {
  readonly promptBytes: number
  /** Inline images, audio and files. */
  readonly media?: { readonly count: number; readonly bytes: number }
}

/** Maximum prompt tokens that the request can cost, by its bytes. `context` is the model's window. */
export function promptBound({ promptBytes, media }: PromptSize, context: number | undefined): number {
  const mediaTokens =
    media === undefined ? 0 : media.count * TOKENS_PER_MEDIUM + Math.ceil(media.bytes / MEDIA_BYTES_PER_TOKEN)
  const tokens = FRAME_TOKENS + Math.ceil(promptBytes * TOKENS_PER_BYTE) + mediaTokens
  return context === undefined ? tokens : Math.min(tokens, context)
}

export interface OutputBound {
  readonly tokens: number
  readonly open: boolean
}

export interface OutputSize {
  readonly stream: boolean
  readonly maxOutput: number | undefined
  /** Choices, each of which is charged. */
  readonly n: number
}

/** `preConsumed` is the option PreConsumedQuota, counted in tokens as in the family. */
export function outputBound(
  { stream, maxOutput, n }: OutputSize,
  modelLimit: number | undefined,
  preConsumed: number,
): OutputBound {
  const limit = modelLimit ?? Infinity
  if (maxOutput !== undefined) return { tokens: Math.min(maxOutput, limit) * n, open: false }
  const wanted = stream ? preConsumed : Math.max(preConsumed, LEAST_PLAIN_OUTPUT)
  return limit <= wanted ? { tokens: limit * n, open: false } : { tokens: wanted * n, open: true }
}

/** Tokens for a picture that is priced by tokens but was not counted in them, as in the family. */
export const PICTURE_AS_TOKENS = 1_000
/** Tokens for audio that is priced by tokens but was measured by its length, as in the family. */
export const MS_PER_SOUND_TOKEN = 100
