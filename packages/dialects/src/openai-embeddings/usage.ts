import { asObject } from '../json-value.ts'
import { count, divide, tokenCounts } from '../usage/counts.ts'
import { nanoUsdOf } from '../usage/reported-cost.ts'
import type { UsageReader } from '../usage/usage-report.ts'

/**
 * Usage of `/v1/embeddings`, and of moderations and rerankers that count tokens: `prompt_tokens` (OpenAI and most), `input_tokens`
 * (DashScope), or `total_tokens` alone (Voyage, Jina). Pictures, audio and video are counted separately if the vendor does so:
 * `prompt_tokens_details` (Volcano), `image_tokens` (DashScope).
 */
export const embeddingsUsage: UsageReader = {
  find(message) {
    const own = asObject(message['usage'])
    return own && { own }
  },
  read({ own }) {
    const total = count(own['prompt_tokens']) ?? count(own['input_tokens']) ?? count(own['total_tokens']) ?? 0
    const details = asObject(own['prompt_tokens_details']) ?? own
    const { image, audio, video, rest } = divide(total, {
      image: count(details['image_tokens']) ?? 0,
      audio: count(details['audio_tokens']) ?? 0,
      video: count(details['video_tokens']) ?? 0,
    })
    return {
      counts: tokenCounts({ input: rest, units: { image_input: image, audio_input: audio, video_input: video } }),
      reportedNanoUsd: nanoUsdOf(own),
      own,
    }
  },
}
