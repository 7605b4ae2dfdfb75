/** Parts of names of models that make something else than text. */
const NO_CHAT = /embed|rerank|whisper|tts|dall-e|image|video|moderation|transcri|speech|flux|sora|veo|realtime|ocr/i

/** Whether a model may be asked a question, as far as its name tells. */
export function isChatModel(model: string): boolean {
  return !NO_CHAT.test(model)
}
