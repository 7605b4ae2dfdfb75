import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refusal } from '@sluice/contract/errors'
import { IMPORT_UPLOAD_MAX } from '@sluice/contract/import'
import type { Timers } from '@sluice/ledger/timers'
import { readPieces } from '../read-body.ts'

/** Uploads on the disk; a further one replaces the least recently used. */
const KEPT = 2
const IDLE_MS = 3_600_000
const SWEEP_MS = 60_000
/** Bytes that an upload must leave free on the disk, for the ledger. */
const LEFT_FREE = 1_000_000_000
/** The free space is measured again after this many bytes. */
const MEASURED_BYTES = 67_108_864
/** Allows the largest file at the speed of a slow office: 2 Mbit/s. */
const PACE = { timeoutMs: 21_600_000, leastRate: 16_384, spanMs: 10_000 } as const
/** First bytes of every SQLite file: https://www.sqlite.org/fileformat.html#the_database_header */
const SQLITE_BEGINS = Buffer.from('SQLite format 3\0', 'latin1')

export interface Upload {
  readonly id: string
  /** Bytes. */
  readonly size: number
}

export interface UsedUpload {
  readonly file: string
  /** Original name of the file, or its id. */
  readonly label: string
  /** Call when the run is over. Removes a file that is no longer needed. */
  readonly giveBack: (isSpent: boolean) => Promise<void>
}

/** SQLite files uploaded for an import. Gateways that share the folder see each other's uploads; a file's time is its last use. */
export interface Uploads {
  /** Writes a request body to the disk as it arrives. `name` is the file's original name. */
  receive(request: Request, name: string): Promise<Upload | Refusal>
  use(id: string): UsedUpload | Refusal
  /** Removes the uploads that this process used last. */
  close(): Promise<void>
}

export interface UploadDeps {
  /** Created when needed, accessible only to this system user; other files in it are left alone. */
  readonly directory: string
  /** 32 hex characters that cannot be guessed. */
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly timers: Pick<Timers, 'every'>
  /** Free bytes on the disk of a folder. */
  readonly freeBytes: (directory: string) => Promise<number>
  readonly onError: (error: unknown) => void
}

interface Kept {
  readonly file: string
  readonly label: string
  usedAt: number
  users: number
}

/** Uploads that nobody has used for an hour are removed, no matter which gateway created them. */
export async function openUploads(deps: UploadDeps): Promise<Uploads> {
  const uploads = new UploadFolder(deps)
  await uploads.keepSwept()
  return uploads
}

class UploadFolder implements Uploads {
  readonly #deps: UploadDeps
  readonly #kept = new Map<string, Kept>()
  #isReceiving = false
  #stopSweeping: () => void = () => {}

  constructor(deps: UploadDeps) {
    this.#deps = deps
  }

  async receive(request: Request, name: string): Promise<Upload | Refusal> {
    if (this.#isReceiving) return { code: 'upload_running' }
    this.#isReceiving = true
    try {
      return await this.#receive(request, name)
    } finally {
      this.#isReceiving = false
    }
  }

  async #receive(request: Request, name: string): Promise<Upload | Refusal> {
    const { directory, newId, freeBytes } = this.#deps
    const declared = Number(request.headers.get('content-length') ?? 0)
    if (declared > IMPORT_UPLOAD_MAX) return TOO_LARGE
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const oldest = this.#kept.size >= KEPT ? this.#leastRecent() : undefined
    if (oldest !== undefined) await this.#remove(oldest)
    if ((await freeBytes(directory)) - declared < LEFT_FREE) return NO_ROOM
    const id = newId()
    const file = join(directory, `${id}.sqlite`)
    const handle = await open(file, 'wx', 0o600)
    let size: number | Refusal | undefined
    try {
      size = await writeBody(request, handle, () => freeBytes(directory))
      if (typeof size !== 'number') return size
    } finally {
      await handle.close()
      if (typeof size !== 'number') await rm(file, { force: true })
    }
    const upload: Kept = { file, label: name === '' ? id : name, usedAt: 0, users: 0 }
    await this.#renew(upload)
    this.#kept.set(id, upload)
    return { id, size }
  }

  #leastRecent(): string | undefined {
    return [...this.#kept].filter(([, { users }]) => users === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt)[0]?.[0]
  }

  use(id: string): UsedUpload | Refusal {
    const file = join(this.#deps.directory, `${id}.sqlite`)
    if (!UPLOAD_NAME.test(`${id}.sqlite`) || !existsSync(file)) return { code: 'upload_gone' }
    const upload = this.#kept.get(id) ?? { file, label: id, usedAt: this.#deps.now(), users: 0 }
    this.#kept.set(id, upload)
    upload.users++
    void this.#renew(upload)
    let isBack = false
    return {
      file: upload.file,
      label: upload.label,
      giveBack: async (isSpent) => {
        if (isBack) return
        isBack = true
        upload.users--
        await this.#renew(upload)
        if (isSpent && upload.users === 0) await this.#remove(id)
      },
    }
  }

  async #renew(upload: Kept): Promise<void> {
    upload.usedAt = this.#deps.now()
    await touch(upload.file, upload.usedAt)
  }

  /** Removes a file unless another gateway has used it since. */
  async #remove(id: string): Promise<void> {
    const upload = this.#kept.get(id)
    this.#kept.delete(id)
    if (upload === undefined) return
    const found = await stat(upload.file).catch(() => undefined)
    if (found !== undefined && found.mtimeMs <= upload.usedAt + ROUNDING_MS) await rm(upload.file, { force: true })
  }

  async keepSwept(): Promise<void> {
    const { timers, onError } = this.#deps
    await this.#sweep()
    this.#stopSweeping = timers.every(SWEEP_MS, () => void this.#sweep().catch(onError))
  }

  async #sweep(): Promise<void> {
    const { directory } = this.#deps
    const names = await readdir(directory).catch(() => [])
    for (const name of names.filter((each) => UPLOAD_NAME.test(each))) {
      const id = name.slice(0, ID_LENGTH)
      const file = join(directory, name)
      const upload = this.#kept.get(id)
      if (upload !== undefined && upload.users > 0) await this.#renew(upload)
      else if (await this.#isIdle(id, file)) {
        this.#kept.delete(id)
        await rm(file, { force: true })
      }
    }
  }

  async #isIdle(id: string, file: string): Promise<boolean> {
    const found = await stat(file).catch(() => undefined)
    // The upload may have come into use while the disk was being read.
    const upload = this.#kept.get(id)
    if (found === undefined || (upload !== undefined && upload.users > 0)) return false
    return this.#deps.now() - Math.max(found.mtimeMs, upload?.usedAt ?? 0) >= IDLE_MS
  }

  async close(): Promise<void> {
    this.#stopSweeping()
    for (const id of this.#kept.keys()) await this.#remove(id)
    // The folder stays unless it is empty.
    await rmdir(this.#deps.directory).catch(() => {})
  }
}

const ID_LENGTH = 32
/** Rounding of file times, which are floating-point seconds. */
const ROUNDING_MS = 1
const UPLOAD_NAME = /^[0-9a-f]{32}\.sqlite$/

/** Another gateway may have removed the file. */
const touch = (file: string, now: number): Promise<void> => utimes(file, now / 1_000, now / 1_000).catch(() => {})

const TOO_LARGE: Refusal = { code: 'body_too_large', params: { limit: IMPORT_UPLOAD_MAX } }
const NO_ROOM: Refusal = { code: 'upload_no_room', params: { left: LEFT_FREE } }

/** Writes the body unchanged if it is a SQLite file. Returns the number of bytes. */
async function writeBody(
  request: Request,
  handle: FileHandle,
  freeBytes: () => Promise<number>,
): Promise<number | Refusal> {
  let size = 0
  let measuredAt = 0
  let begins = Buffer.alloc(0)
  const take = async (piece: Uint8Array): Promise<Refusal | undefined> => {
    if (size + piece.byteLength > IMPORT_UPLOAD_MAX) return TOO_LARGE
    if (begins.length < SQLITE_BEGINS.length) {
      begins = Buffer.concat([begins, piece]).subarray(0, SQLITE_BEGINS.length)
      if (!SQLITE_BEGINS.subarray(0, begins.length).equals(begins)) return { code: 'upload_not_sqlite' }
    }
    await handle.writeFile(piece)
    size += piece.byteLength
    if (size - measuredAt < MEASURED_BYTES) return undefined
    measuredAt = size
    return (await freeBytes()) < LEFT_FREE ? NO_ROOM : undefined
  }
  try {
    const refusal = await readPieces(request, PACE, take)
    if (refusal !== undefined) return refusal
  } catch (error) {
    if (isDiskFull(error)) return NO_ROOM
    throw error
  }
  return begins.length < SQLITE_BEGINS.length ? { code: 'upload_not_sqlite' } : size
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
