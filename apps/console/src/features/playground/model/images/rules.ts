/** Maximum number of pictures in a message. */
export const MOST_IMAGES = 5
/** Maximum size of a picture as chosen, in bytes. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024
export const IMAGE_EXTENSIONS = ['.jpg', '.jpeg', '.png', '.gif', '.webp', '.bmp', '.svg'] as const
/** What the file dialog of the browser offers. Media types, because phones offer the camera and their album for these. */
export const IMAGE_TYPES = 'image/jpeg,image/png,image/gif,image/webp,image/bmp,image/svg+xml'

/** The properties of a file that decide whether it may be attached. */
export interface Candidate {
  readonly name: string
  /** Media type, as the browser reports it. */
  readonly type: string
  /** Bytes. */
  readonly size: number
}

/** Files that were offered, by outcome; each list in the order offered. */
export interface SortedFiles<T> {
  readonly taken: readonly T[]
  readonly wrongType: readonly T[]
  readonly tooLarge: readonly T[]
  readonly tooMany: readonly T[]
}

/** Sorts what was offered. `room`: how many more pictures the message can take. */
export function sortFiles<T extends Candidate>(files: readonly T[], room: number): SortedFiles<T> {
  const wrongType = files.filter((file) => !isImage(file))
  const tooLarge = files.filter((file) => isImage(file) && file.size > MOST_IMAGE_BYTES)
  const fit = files.filter((file) => isImage(file) && file.size <= MOST_IMAGE_BYTES)
  return { taken: fit.slice(0, room), wrongType, tooLarge, tooMany: fit.slice(room) }
}

function isImage({ name, type }: Candidate): boolean {
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase()
  return type.startsWith('image/') && IMAGE_EXTENSIONS.some((known) => known === extension)
}
