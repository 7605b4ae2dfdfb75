/** Parts of names of models that make something other than text. */
const NO_CHAT = /embed|rerank|whisper|tts|dall-e|image|video|moderation|transcri|speech|flux|sora|veo|realtime|ocr/i

/** Whether a model can be asked a question, judging by its name. */
export function isChatModel(model: string): boolean {
  return !NO_CHAT.test(model)
}
