/** What an answer may be besides JSON. Anything else, pages above all, is passed on as bytes. */
const PASSED_ON = /^(?:audio\/[\w.+-]+|text\/(?:plain|vtt)|application\/(?:x-subrip|srt))(?:\s*;|$)/i

/** The content type of an answer as the client is told it. */
export function passedOnType(type: string): string {
  return PASSED_ON.test(type) ? type : 'application/octet-stream'
}
