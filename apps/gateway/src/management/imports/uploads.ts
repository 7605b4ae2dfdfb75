import { type FileHandle, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refusal } from '@sluice/contract/errors'
import { IMPORT_UPLOAD_MAX } from '@sluice/contract/import'
import type { Timers } from '@sluice/ledger/timers'
import { readPieces } from '../read-body.ts'

/** Uploads that lie on the disk at the same time; a further one takes the place of the one that was used least recently. */
const KEPT = 2
/** How long an upload stays that nobody uses. */
const IDLE_MS = 3_600_000
/** How often those are looked for. */
const SWEEP_MS = 60_000
/** Room that an upload leaves on the disk, for the ledger: bytes. */
const LEFT_FREE = 1_000_000_000
/** The room is measured again each time that this many bytes have arrived. */
const MEASURED_BYTES = 67_108_864
/** The largest file at the speed of a slow office: 2 Mbit/s. */
const PACE = { timeoutMs: 21_600_000, leastRate: 16_384, spanMs: 10_000 } as const
/** How every SQLite file begins: https://www.sqlite.org/fileformat.html#the_database_header */
const SQLITE_BEGINS = Buffer.from('SQLite format 3\0', 'latin1')

export interface Upload {
  readonly id: string
  /** Bytes. */
  readonly size: number
}

/** An upload that a run reads. */
export interface UsedUpload {
  readonly file: string
  /** Name of the file where it came from, or its id. */
  readonly label: string
  /** Must be called when the run is over. A spent file is removed. */
  readonly giveBack: (isSpent: boolean) => Promise<void>
}

/** SQLite files on their way into an import: in a folder of their own, each for a short time. */
export interface Uploads {
  /** Writes the body of a request to the disk as it arrives. `name` is that of the file where it came from. */
  receive(request: Request, name: string): Promise<Upload | Refusal>
  use(id: string): UsedUpload | Refusal
  /** Removes all of them. */
  close(): Promise<void>
}

export interface UploadDeps {
  /** Made when it is needed, and only for this user; other files in it are left alone. */
  readonly directory: string
  /** 32 hex characters that cannot be guessed. */
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly timers: Pick<Timers, 'every'>
  /** Bytes that can still be written to the disk of a folder. */
  readonly freeBytes: (directory: string) => Promise<number>
  readonly onError: (error: unknown) => void
}

interface Kept {
  readonly file: string
  readonly label: string
  usedAt: number
  users: number
}

/** What an earlier process left in the folder is removed. */
export async function openUploads(deps: UploadDeps): Promise<Uploads> {
  const { directory, now } = deps
  const kept = new Map<string, Kept>()
  let isReceiving = false

  const remove = async (id: string): Promise<void> => {
    const upload = kept.get(id)
    kept.delete(id)
    if (upload !== undefined) await rm(upload.file, { force: true })
  }
  const leastRecent = () =>
    [...kept].filter(([, { users }]) => users === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt)[0]?.[0]

  await removeAll(directory)
  const stopSweeping = deps.timers.every(SWEEP_MS, () => {
    for (const [id, { users, usedAt }] of kept) {
      if (users === 0 && now() - usedAt >= IDLE_MS) remove(id).catch(deps.onError)
    }
  })

  const receive = async (request: Request, name: string): Promise<Upload | Refusal> => {
    const declared = Number(request.headers.get('content-length') ?? 0)
    if (declared > IMPORT_UPLOAD_MAX) return TOO_LARGE
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const oldest = kept.size >= KEPT ? leastRecent() : undefined
    if (oldest !== undefined) await remove(oldest)
    if ((await deps.freeBytes(directory)) - declared < LEFT_FREE) return NO_ROOM
    const id = deps.newId()
    const file = join(directory, `${id}.sqlite`)
    const handle = await open(file, 'wx', 0o600)
    let size: number | Refusal | undefined
    try {
      size = await writeBody(request, handle, () => deps.freeBytes(directory))
      if (typeof size !== 'number') return size
    } finally {
      await handle.close()
      if (typeof size !== 'number') await rm(file, { force: true })
    }
    kept.set(id, { file, label: name === '' ? id : name, usedAt: now(), users: 0 })
    return { id, size }
  }

  return {
    receive: async (request, name) => {
      if (isReceiving) return { code: 'upload_running' }
      isReceiving = true
      try {
        return await receive(request, name)
      } finally {
        isReceiving = false
      }
    },
    use: (id) => {
      const upload = kept.get(id)
      if (upload === undefined) return { code: 'upload_gone' }
      upload.users++
      let isBack = false
      return {
        file: upload.file,
        label: upload.label,
        giveBack: async (isSpent) => {
          if (isBack) return
          isBack = true
          upload.users--
          upload.usedAt = now()
          if (isSpent && upload.users === 0) await remove(id)
        },
      }
    },
    close: async () => {
      stopSweeping()
      kept.clear()
      await removeAll(directory)
    },
  }
}

const UPLOAD_NAME = /^[0-9a-f]{32}\.sqlite$/

async function removeAll(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => [])
  for (const name of names.filter((each) => UPLOAD_NAME.test(each))) await rm(join(directory, name), { force: true })
  // Stays as long as something else is in it.
  await rmdir(directory).catch(() => {})
}

const TOO_LARGE: Refusal = { code: 'body_too_large', params: { limit: IMPORT_UPLOAD_MAX } }
const NO_ROOM: Refusal = { code: 'upload_no_room', params: { left: LEFT_FREE } }

/** How many bytes were written: the body as it is, if it is a SQLite file. */
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
