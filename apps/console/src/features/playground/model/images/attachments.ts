import { createStore, type Store } from '~/lib/store.ts'
import type { Processed } from './process-image.ts'

export interface AttachedImage {
  readonly id: string
  /** Undefined for a picture that the message already had. */
  readonly file: File | undefined
  /** Address of the full-size picture: the chosen file until it is processed, then the picture that will be sent. */
  readonly preview: string
  /** `data:image/…;base64,…` as it is sent; '' while it is being processed. */
  readonly base64: string
  /** Address of the thumbnail; '' until it is made. */
  readonly thumbnail: string
  /** Whether the picture was made smaller; false while it is processed, and for a picture that is sent unchanged. */
  readonly compressed: boolean
}

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
  /** Adds the files that satisfy the rules and processes them, one after the other. */
  add(files: readonly File[]): void
  remove(id: string): void
  /** Replaces all pictures with these, which are ready to be sent, and cancels all processing. */
  reset(images: readonly string[]): void
  /** Cancels all processing, and removes pictures that are not ready. */
  cancel(): void
}

/** @param initial `data:` addresses of the pictures that the message has already. */
export function createAttachments(parts: AttachmentParts, initial: readonly string[] = []): Attachments {
  return new MessageImages(parts, initial)
}

class MessageImages implements Attachments {
  readonly #parts: AttachmentParts
  readonly #store: Store<readonly AttachedImage[]>
  /** For each file that is waiting or being processed. */
  readonly #work = new Map<string, AbortController>()
  #last: Promise<void> = Promise.resolve()
  readonly get: Attachments['get']
  readonly subscribe: Attachments['subscribe']

  constructor(parts: AttachmentParts, initial: readonly string[]) {
    this.#parts = parts
    this.#store = createStore(initial.map((base64) => this.#ready(base64)))
    this.get = this.#store.get
    this.subscribe = this.#store.subscribe
  }

  add(files: readonly File[]): void {
    const { taken, ...refused } = sortFiles(files, MOST_IMAGES - this.get().length)
    for (const kind of ['wrongType', 'tooLarge', 'tooMany'] as const) {
      if (refused[kind].length > 0) this.#parts.notify({ kind, files: refused[kind] })
    }
    const images = taken.map((file) => this.#waiting(file))
    this.#store.set([...this.get(), ...images])
    for (const { id, file } of images) {
      const controller = new AbortController()
      this.#work.set(id, controller)
      this.#last = this.#last.then(() => this.#run(id, file, controller))
    }
  }

  remove(id: string): void {
    this.#work.get(id)?.abort()
    this.#work.delete(id)
    const image = this.#imageOf(id)
    if (image?.base64 === '') this.#parts.release(image.preview)
    this.#store.set(this.get().filter((each) => each.id !== id))
  }

  reset(images: readonly string[]): void {
    for (const { id } of this.get()) this.remove(id)
    this.#store.set(images.map((base64) => this.#ready(base64)))
  }

  cancel(): void {
    for (const id of this.#work.keys()) this.remove(id)
  }

  async #run(id: string, file: File, { signal }: AbortController): Promise<void> {
    try {
      if (!signal.aborted) this.#finish(id, file, await this.#parts.process(file, signal))
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#work.delete(id)
    }
  }

  #finish(id: string, file: File, result: Processed): void {
    const image = this.#imageOf(id)
    if (image === undefined) return
    if (result.kind !== 'reduced') this.#parts.notify({ kind: result.kind, files: [file] })
    if (result.kind === 'unreadable') return this.remove(id)
    this.#parts.release(image.preview)
    const { base64 } = result
    const compressed = result.kind === 'reduced'
    const done = { ...image, preview: base64, base64, thumbnail: compressed ? result.thumbnail : base64, compressed }
    this.#store.set(this.get().map((each) => (each.id === id ? done : each)))
  }

  #imageOf(id: string): AttachedImage | undefined {
    return this.get().find((each) => each.id === id)
  }

  #ready(base64: string): AttachedImage {
    return {
      id: this.#parts.newId(),
      file: undefined,
      preview: base64,
      base64,
      thumbnail: base64,
      compressed: true,
    }
  }

  #waiting(file: File): AttachedImage & { readonly file: File } {
    return {
      id: this.#parts.newId(),
      file,
      preview: this.#parts.previewOf(file),
      base64: '',
      thumbnail: '',
      compressed: false,
    }
  }
}

export const MOST_IMAGES = 5
/** Maximum size of a picture as chosen, in bytes. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024
export const IMAGE_EXTENSIONS = ['.jpg', '.jpeg', '.png', '.gif', '.webp', '.bmp', '.svg'] as const
/** For the browser's file dialog. Media types, because phones offer the camera and their album for these. */
export const IMAGE_TYPES = 'image/jpeg,image/png,image/gif,image/webp,image/bmp,image/svg+xml'

export interface Candidate {
  readonly name: string
  readonly type: string
  /** Bytes. */
  readonly size: number
}

interface SortedFiles<T> {
  readonly taken: readonly T[]
  readonly wrongType: readonly T[]
  readonly tooLarge: readonly T[]
  readonly tooMany: readonly T[]
}

/** `room`: how many more pictures the message can take. */
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
