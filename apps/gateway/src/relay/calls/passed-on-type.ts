/** Content types that answers other than JSON may keep. All others, above all HTML, are forwarded as bytes. */
const PASSED_ON = /^(?:audio\/[\w.+-]+|text\/(?:plain|vtt)|application\/(?:x-subrip|srt))(?:\s*;|$)/i

export function passedOnType(type: string): string {
  return PASSED_ON.test(type) ? type : 'application/octet-stream'
}
