import type { FileDigest } from './copy-checked.ts'

export interface StoredFile {
  readonly name: string
  readonly bytes: number
}

/** Names contain no folders. Methods reject with a `StartProblem`, leaving nothing behind, when the place refuses or is full. */
export interface BackupPlace {
  /** The folder, or `s3://bucket/prefix`; nothing secret. */
  readonly words: string
  /** Folder for a copy before it is stored; undefined for the folder of the database. */
  readonly workFolder: string | undefined
  list(prefix: string): Promise<readonly StoredFile[]>
  read(name: string): AsyncIterable<Buffer>
  /** Stores a local file, which may be moved there. It appears under its name only once it is complete. */
  store(local: string, name: string, digest: FileDigest): Promise<void>
  storeText(name: string, text: string): Promise<void>
  /** Succeeds even if the file does not exist. */
  remove(name: string): Promise<void>
  /** Removes partly stored files with this prefix that killed processes left. */
  sweep(prefix: string): Promise<void>
  close(): Promise<void>
}

/** Reads a short text; undefined when it is longer than `maxBytes`. */
export async function readText(place: BackupPlace, name: string, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of place.read(name)) {
    bytes += chunk.length
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
