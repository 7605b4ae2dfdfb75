import { createStore, type Store } from '~/lib/store.ts'
import type { Processed } from './process-image.ts'

/** A picture of the message that is being written. */
export interface AttachedImage {
  readonly id: string
  /** Undefined for a picture that the message had before. */
  readonly file: File | undefined
  /** Address of the whole picture: of the file until it is processed, of the picture that will be sent after that. */
  readonly preview: string
  /** `data:image/…;base64,…` as it is sent; '' while it is being processed. */
  readonly base64: string
  /** Address of the thumbnail; '' while there is none. */
  readonly thumbnail: string
  /** Whether it was made smaller; false while it is being processed, and for a picture that is sent unchanged. */
  readonly compressed: boolean
}

/** What to tell the user about files that were offered. */
export type AttachmentNotice =
  | { readonly kind: Exclude<keyof SortedFiles<File>, 'taken'>; readonly files: readonly File[] }
  | { readonly kind: Exclude<Processed['kind'], 'reduced'>; readonly files: readonly File[] }

export interface AttachmentParts {
  readonly process: (file: File, signal: AbortSignal) => Promise<Processed>
  /** Address under which the page shows a file, and how to release it. */
  readonly previewOf: (file: File) => string
  readonly release: (preview: string) => void
  readonly newId: () => string
  readonly notify: (notice: AttachmentNotice) => void
}

export interface Attachments extends Pick<Store<readonly AttachedImage[]>, 'get' | 'subscribe'> {
  /** Adds the files that satisfy the rules and starts processing them, one after the other. */
  add(files: readonly File[]): void
  remove(id: string): void
  /** Removes all, cancels their processing, and shows these pictures instead, which are ready to be sent. */
  reset(images: readonly string[]): void
  /** Cancels all processing, and removes what is not ready. */
  cancel(): void
}

/** The pictures of one message. */
export function createAttachments(parts: AttachmentParts, initial: readonly string[] = []): Attachments {
  const ready = (base64: string): AttachedImage => ({
    id: parts.newId(),
    file: undefined,
    preview: base64,
    base64,
    thumbnail: base64,
    compressed: true,
  })
  const store = createStore<readonly AttachedImage[]>(initial.map(ready))
  /** For each file that is waiting or being processed. */
  const work = new Map<string, AbortController>()
  let last: Promise<void> = Promise.resolve()

  const drop = (id: string) => {
    work.get(id)?.abort()
    work.delete(id)
    const image = store.get().find((each) => each.id === id)
    if (image?.base64 === '') parts.release(image.preview)
    store.set(store.get().filter((each) => each.id !== id))
  }

  const finish = (id: string, file: File, result: Processed) => {
    const image = store.get().find((each) => each.id === id)
    if (image === undefined) return
    if (result.kind !== 'reduced') parts.notify({ kind: result.kind, files: [file] })
    if (result.kind === 'unreadable') {
      drop(id)
      return
    }
    parts.release(image.preview)
    const { base64 } = result
    const compressed = result.kind === 'reduced'
    const done = { ...image, preview: base64, base64, thumbnail: compressed ? result.thumbnail : base64, compressed }
    store.set(store.get().map((each) => (each.id === id ? done : each)))
  }

  const run = async (id: string, file: File, { signal }: AbortController) => {
    try {
      if (!signal.aborted) finish(id, file, await parts.process(file, signal))
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      work.delete(id)
    }
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    add(files) {
      const { taken, ...refused } = sortFiles(files, MOST_IMAGES - store.get().length)
      for (const kind of ['wrongType', 'tooLarge', 'tooMany'] as const) {
        if (refused[kind].length > 0) parts.notify({ kind, files: refused[kind] })
      }
      const images = taken.map((file): AttachedImage & { readonly file: File } => ({
        id: parts.newId(),
        file,
        preview: parts.previewOf(file),
        base64: '',
        thumbnail: '',
        compressed: false,
      }))
      store.set([...store.get(), ...images])
      for (const { id, file } of images) {
        const controller = new AbortController()
        work.set(id, controller)
        last = last.then(() => run(id, file, controller))
      }
    },
    remove: drop,
    reset(images) {
      for (const { id } of store.get()) drop(id)
      store.set(images.map(ready))
    },
    cancel() {
      for (const id of work.keys()) drop(id)
    },
  }
}

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
interface SortedFiles<T> {
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
