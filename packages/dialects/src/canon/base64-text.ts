/** Text as base64 of its UTF-8. */
export function textToBase64(text: string): string {
  let letters = ''
  for (const byte of new TextEncoder().encode(text)) letters += String.fromCharCode(byte)
  return btoa(letters)
}

/** The text behind base64; undefined if it is not base64, or not UTF-8. */
export function base64ToText(data: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
