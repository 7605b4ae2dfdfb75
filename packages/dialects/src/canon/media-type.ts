/** Names of one format that clients write; vendors know the second alone, and some of them refuse the first. */
const PICTURES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
}

/**
 * The media type of bytes as vendors know it. Of a picture, the type alone says how to read it. That of a sound stays as it was
 * written, with its parameters: they say how raw samples are to be read.
 */
export function mediaTypeOf(written: string): string {
  if (!/^image\//i.test(written)) return written
  const [bare = ''] = written.split(';', 1)
  const type = bare.trim().toLowerCase()
  return Object.hasOwn(PICTURES, type) ? (PICTURES[type] ?? type) : type
}
