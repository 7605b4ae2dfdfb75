import { constants } from 'node:fs'
import { copyFile, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { freeBytesOf } from '../../free-bytes.ts'
import { copyForeignDatabase } from '../../sqlite/connection.ts'
import { fileProblem } from './file-problem.ts'

const HEADER = Buffer.from('SQLite format 3\0', 'latin1')
const HEADER_BYTES = 100
/** Byte of the header that is 2 in a file with a write-ahead log. */
const READ_VERSION_AT = 19
const WAL = 2
const TRIES = 3

/**
 * Copies another program's database as it is at one moment; returns what prevents it, as the second half of a sentence about the
 * file. It is copied because an open read transaction keeps a program that uses a rollback journal (One API does) from committing,
 * and one that uses a write-ahead log from shortening it. The file and its directory are never written to:
 *
 * - with `-shm` next to it, it is in use, or was when its program was killed: SQLite copies it, with the locks that it needs;
 * - in WAL mode without `-shm`, no program has it open, and SQLite would create files next to it, so it is copied as an ordinary
 *   file;
 * - with a rollback journal SQLite copies it under a read lock.
 */
export async function copyForeignFile(file: string, copy: string): Promise<string | undefined> {
  try {
    const problem = await roomProblem(file, copy)
    if (problem !== undefined) return problem
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = await fileState(file)
      const how = await howToCopy(file)
      if ('problem' in how) return how.problem
      if (how.by === 'sqlite') {
        await copyForeignDatabase(file, copy)
        return undefined
      }
      await copyFile(file, copy, constants.COPYFILE_FICLONE)
      if (how.hasLog) await copyFile(`${file}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE)
      if ((await fileState(file)) === before && !(await exists(`${file}-shm`))) return undefined
    }
    return 'changes faster than it can be copied; stop the program that is using it, or try again'
  } catch (error) {
    const problem = fileProblem(error)
    if (problem === undefined) throw error
    return problem
  }
}

/** Changes when the file or its write-ahead log does; rejects with the system's error. */
export async function fileState(file: string): Promise<string> {
  const [main, log] = await Promise.all([stat(file, { bigint: true }), statIfAny(`${file}-wal`)])
  return [main, log].map((each) => (each === undefined ? '' : `${each.ino}:${each.size}:${each.mtimeNs}`)).join('/')
}

type HowToCopy =
  | { readonly problem: string }
  | { readonly by: 'sqlite' }
  | { readonly by: 'system'; readonly hasLog: boolean }

async function howToCopy(file: string): Promise<HowToCopy> {
  const found = await stat(file)
  if (!found.isFile()) return { problem: 'is not a file' }
  if (found.size === 0) return { problem: 'is empty' }
  // Only SQLite may open a file that is in use, perhaps by this process: closing it in any other way drops the locks on it.
  if (await exists(`${file}-shm`)) return { by: 'sqlite' }
  const header = await readHeader(file)
  if (!header.subarray(0, HEADER.length).equals(HEADER)) return { problem: 'is not a SQLite database, or is encrypted' }
  if (header[READ_VERSION_AT] !== WAL) return { by: 'sqlite' }
  return { by: 'system', hasLog: await exists(`${file}-wal`) }
}

async function readHeader(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function roomProblem(file: string, copy: string): Promise<string | undefined> {
  const [main, log, free] = await Promise.all([stat(file), statIfAny(`${file}-wal`), freeBytesOf(dirname(copy))])
  const needed = main.size + Number(log?.size ?? 0)
  if (needed < free) return undefined
  return `does not fit on the disk of the temporary directory: it is ${Math.ceil(needed / MB)} MB, and ${Math.floor(free / MB)} MB are free`
}

const MB = 1024 * 1024

async function exists(file: string): Promise<boolean> {
  return (await statIfAny(file)) !== undefined
}

async function statIfAny(
  file: string,
): Promise<{ readonly ino: bigint; readonly size: bigint; readonly mtimeNs: bigint } | undefined> {
  try {
    return await stat(file, { bigint: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
