import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { freeBytesOf } from '@sluice/store/free-bytes'
import { StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { readText } from './backup-place.ts'
import { type Manifest, MANIFEST_BYTES, manifestOf, readManifest } from './manifest.ts'
import { openPlace } from './place-of.ts'
import { isS3 } from './s3-address.ts'

export interface BackupSource {
  readonly words: string
  readonly bytes: number
  /** Undefined when the backup has no manifest. */
  readonly manifest: Manifest | undefined
  read(): AsyncIterable<Buffer>
  close(): Promise<void>
}

const HEADER = Buffer.from('SQLite format 3\0', 'latin1')

/** Opens a file, or `s3://bucket/prefix/name`. */
export async function openBackup(config: Config, from: string, now: () => number): Promise<BackupSource> {
  return isS3(from) ? await openStored(config, from, now) : await openFile(resolve(from))
}

async function openFile(file: string): Promise<BackupSource> {
  const found = await statIfAny(file)
  if (found === undefined) throw new StartProblem(`There is no file ${file}.`)
  if (!found.isFile()) throw new StartProblem(`${file} is not a file.`)
  const log = await statIfAny(`${file}-wal`)
  if (log !== undefined && log.size > 0) {
    throw new StartProblem(
      `${file}-wal contains commits that are missing from ${basename(file)}: this is a copy of a running or crashed gateway's files, not a backup. Use it as it is: copy the whole folder, including every file whose name begins the same way.`,
    )
  }
  const text = await readShort(manifestOf(file))
  return {
    words: file,
    bytes: found.size,
    manifest: text === undefined ? undefined : manifestIn(text, manifestOf(file)),
    read: () => createReadStream(file) as AsyncIterable<Buffer>,
    close: async () => {},
  }
}

async function openStored(config: Config, from: string, now: () => number): Promise<BackupSource> {
  const at = from.lastIndexOf('/')
  const name = from.slice(at + 1)
  const place = await openPlace(config, from.slice(0, at), now, new AbortController().signal)
  try {
    const files = await place.list(name)
    const found = files.find((file) => file.name === name)
    if (found === undefined) throw new StartProblem(`${from} does not exist.`)
    const hasManifest = files.some((file) => file.name === manifestOf(name))
    const text = hasManifest ? await readText(place, manifestOf(name), MANIFEST_BYTES) : undefined
    if (hasManifest && text === undefined) throw new StartProblem(`${manifestOf(from)} is too large for a manifest.`)
    return {
      words: from,
      bytes: found.bytes,
      manifest: text === undefined ? undefined : manifestIn(text, manifestOf(from)),
      read: () => place.read(name),
      close: () => place.close(),
    }
  } catch (error) {
    await place.close()
    throw error
  }
}

function manifestIn(text: string, where: string): Manifest {
  const manifest = readManifest(text)
  if ('problem' in manifest) throw new StartProblem(`${where} ${manifest.problem}.`)
  return manifest
}

/**
 * Writes the backup to a new file, flushed and readable only by its owner. Rejects with a `StartProblem` without enough room, or
 * when the backup is not a SQLite database or differs from its manifest or its listed length, for which room was checked.
 */
export async function bringBackup(source: BackupSource, to: string): Promise<void> {
  const { manifest, words } = source
  if (manifest !== undefined && manifest.bytes !== source.bytes) {
    throw new StartProblem(`${words} has ${source.bytes} bytes, but its manifest says ${manifest.bytes}.`)
  }
  await expectRoom(source, to)
  const hash = createHash('sha256')
  const handle = await open(to, 'wx', 0o600)
  try {
    let isFirst = true
    let written = 0
    for await (const chunk of source.read()) {
      if (isFirst && !chunk.subarray(0, HEADER.length).equals(HEADER)) {
        throw new StartProblem(`${words} is not a SQLite database.`)
      }
      isFirst = false
      written += chunk.length
      if (written > source.bytes)
        throw new StartProblem(`${words} is larger than the ${source.bytes} bytes that were listed.`)
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    if (isFirst) throw new StartProblem(`${words} is empty.`)
    if (written < source.bytes)
      throw new StartProblem(`${words} ended after ${written} of the ${source.bytes} bytes that were listed.`)
    await handle.datasync()
  } finally {
    await handle.close()
  }
  if (manifest !== undefined && hash.digest('hex') !== manifest.sha256) {
    throw new StartProblem(`${words} is not the file that its manifest describes: its SHA-256 differs.`)
  }
}

/** Expects room for twice the backup's size: checking a backup of an older version takes two copies. */
async function expectRoom({ bytes }: BackupSource, to: string): Promise<void> {
  const free = await freeBytesOf(dirname(to))
  const needed = bytes * 2
  if (free > needed) return
  throw new StartProblem(
    `The disk of ${dirname(to)} has ${megabytes(free)} MB free, and a restore needs ${megabytes(needed)} MB.`,
  )
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000)

async function statIfAny(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function readShort(path: string): Promise<string | undefined> {
  const found = await statIfAny(path)
  if (found === undefined) return undefined
  if (found.size > MANIFEST_BYTES) throw new StartProblem(`${path} is too large for a manifest.`)
  return await readFile(path, 'utf8')
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
