/** Aliases that clients use and the names that vendors know; some vendors refuse the aliases. */
const PICTURES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
}

/** The media type as vendors know it. Audio keeps its parameters, because they describe how to read raw samples. */
export function mediaTypeOf(written: string): string {
  if (!/^image\//i.test(written)) return written
  const [bare = ''] = written.split(';', 1)
  const type = bare.trim().toLowerCase()
  return Object.hasOwn(PICTURES, type) ? (PICTURES[type] ?? type) : type
}

export function textToBase64(text: string): string {
  let letters = ''
  for (const byte of new TextEncoder().encode(text)) letters += String.fromCharCode(byte)
  return btoa(letters)
}

/** Undefined if the data is not base64, or not UTF-8. */
export function base64ToText(data: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
