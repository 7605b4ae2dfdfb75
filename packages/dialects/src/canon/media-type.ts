/** Two names for the same format: clients use both, but vendors only know the second, and some refuse the first. */
const PICTURES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
}

/**
 * The media type of bytes as vendors know it. For a picture, the type alone tells how to read it. For audio, the type is kept as
 * written, with its parameters, which describe how to read raw samples.
 */
export function mediaTypeOf(written: string): string {
  if (!/^image\//i.test(written)) return written
  const [bare = ''] = written.split(';', 1)
  const type = bare.trim().toLowerCase()
  return Object.hasOwn(PICTURES, type) ? (PICTURES[type] ?? type) : type
}

/** Text as base64 of its UTF-8. */
export function textToBase64(text: string): string {
  let letters = ''
  for (const byte of new TextEncoder().encode(text)) letters += String.fromCharCode(byte)
  return btoa(letters)
}

/** The text encoded as base64; undefined if it is not base64, or not UTF-8. */
export function base64ToText(data: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
