import type { TokenCounts } from '../token-counts.ts'
import { divide } from './counts.ts'

/** A vendor's report on prompt tokens; missing counts are zero. */
export interface PromptParts {
  readonly audio?: number
  readonly image?: number
  readonly video?: number
  /** Cached tokens of any kind. */
  readonly cached?: number
  /** Cached audio, pictures and video, if known. */
  readonly cachedAudio?: number
  readonly cachedImage?: number
  readonly cachedVideo?: number
  readonly write5m?: number
  readonly write1h?: number
}

/**
 * Prompt tokens by price class. Cached tokens of an unknown kind count first as text, which comes first in nearly every prompt,
 * then as pictures, video and audio. Cached video does not have its own class: it costs the same as cached text.
 */
export function promptClasses(prompt: number, parts: PromptParts): Partial<TokenCounts> {
  return isText(parts) ? textClasses(prompt, parts) : mixedClasses(prompt, parts)
}

/** True for nearly every prompt. It runs while each request is charged, so it uses no list or look-up. */
function isText({ audio = 0, image = 0, video = 0, cachedAudio = 0, cachedImage = 0, cachedVideo = 0 }: PromptParts) {
  return audio + image + video + cachedAudio + cachedImage + cachedVideo === 0
}

function textClasses(prompt: number, { cached = 0, write1h = 0, write5m = 0 }: PromptParts): Partial<TokenCounts> {
  const cachedInput = Math.min(cached, prompt)
  const cacheWrite1h = Math.min(write1h, prompt - cachedInput)
  const cacheWrite5m = Math.min(write5m, prompt - cachedInput - cacheWrite1h)
  return { input: prompt - cachedInput - cacheWrite1h - cacheWrite5m, cachedInput, cacheWrite5m, cacheWrite1h }
}

function mixedClasses(prompt: number, parts: PromptParts): Partial<TokenCounts> {
  const { cached = 0, cachedAudio = 0, cachedImage = 0, cachedVideo = 0, write1h = 0, write5m = 0 } = parts
  const kinds = divide(prompt, { audio: parts.audio ?? 0, image: parts.image ?? 0, video: parts.video ?? 0 })
  let unreported = Math.max(0, cached - cachedAudio - cachedImage - cachedVideo)
  const take = (whole: number, reported: number) => {
    const taken = divide(whole, { told: reported, untold: unreported })
    unreported -= taken.untold
    return { cached: taken.told + taken.untold, rest: taken.rest }
  }
  const text = take(kinds.rest, 0)
  const image = take(kinds.image, cachedImage)
  const video = take(kinds.video, cachedVideo)
  const audio = take(kinds.audio, cachedAudio)
  const written = divide(text.rest, { write1h, write5m })
  return {
    input: written.rest,
    cachedInput: text.cached + video.cached,
    cacheWrite5m: written.write5m,
    cacheWrite1h: written.write1h,
    units: {
      audio_input: audio.rest,
      cached_audio_input: audio.cached,
      image_input: image.rest,
      cached_image_input: image.cached,
      video_input: video.rest,
    },
  }
}
