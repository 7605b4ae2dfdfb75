/** The content types of answers other than JSON. Anything else, above all HTML pages, is forwarded as bytes. */
const PASSED_ON = /^(?:audio\/[\w.+-]+|text\/(?:plain|vtt)|application\/(?:x-subrip|srt))(?:\s*;|$)/i

export function passedOnType(type: string): string {
  return PASSED_ON.test(type) ? type : 'application/octet-stream'
}
