import type { Found } from '@sluice/contract/findings/catalogue'
import { type Check, orWell } from '../check.ts'
import { sizeText } from '../in-words.ts'

export interface FileFacts {
  /** Relative to the data folder. */
  readonly name: string
  readonly bytes: number
  /** Permission bits. */
  readonly mode: number
  /** Unix milliseconds. */
  readonly changedMs: number
}

export interface FolderFacts {
  readonly path: string
  readonly freeBytes: number
  /** Number of the file system's type, as in `statfs`; 0 if the system has none. */
  readonly type: number
  readonly mode: number
  /** Files in the folder and in its `import` folder, at most a fixed number of each. */
  readonly files: readonly FileFacts[]
}

export interface DiskFacts {
  /** Undefined without a data folder. */
  readonly dataFolder: () => Promise<FolderFacts | undefined>
  readonly temporaryFolder: () => Promise<Pick<FolderFacts, 'path' | 'freeBytes'>>
  /** Name of the SQLite file in the data folder; undefined on PostgreSQL. */
  readonly databaseFile: string | undefined
  /** Unix milliseconds by the clock of the file system's machine. */
  readonly now: () => number
}

const FULL_BYTES = 500_000_000
const LOW_BYTES = 2_000_000_000
/** SQLite reuses the log from its beginning, unless a reader prevents that. */
const LARGE_WAL_BYTES = 512_000_000
const DAY_MS = 86_400_000
const OTHERS_READ = 0o004
const OTHERS_ENTER = 0o001
/** Write permission for the group, or for everybody. */
export const OTHERS_WRITE = 0o022

/** https://man7.org/linux/man-pages/man2/statfs.2.html */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x7461636f, 'OCFS2'],
  [0x01161970, 'GFS2'],
])

/** Checks free space, leftover files, permissions, and the location of the data folder. */
export function diskCheck({ dataFolder, temporaryFolder, databaseFile, now }: DiskFacts): Check {
  return {
    name: 'disk',
    examine: async () => {
      const [folder, temporary] = await Promise.all([dataFolder(), temporaryFolder()])
      if (folder === undefined) {
        const params = { free: sizeText(temporary.freeBytes), size: sizeText(0) }
        return orWell(spaceOf(temporary, 0), { id: 'disk.ok', subject: temporary.path, params })
      }
      const size = folder.files.reduce((sum, { name, bytes }) => sum + (ofDatabase(name, databaseFile) ? bytes : 0), 0)
      const found = [
        ...spaceOf(folder, size),
        ...spaceOf(temporary, 0),
        ...(databaseFile === undefined ? [] : placeOf(folder)),
        ...permissionsOf(folder, databaseFile),
        ...folder.files.flatMap((file) => aboutFile(folder.path, file, databaseFile, now())),
      ]
      const params = { free: sizeText(folder.freeBytes), size: sizeText(size) }
      return orWell(found, { id: 'disk.ok', subject: folder.path, params })
    },
  }
}

const ofDatabase = (name: string, file: string | undefined): boolean =>
  file !== undefined && (name === file || name === `${file}-wal` || name.startsWith(`${file}.records-`))

function spaceOf({ path, freeBytes }: Pick<FolderFacts, 'path' | 'freeBytes'>, size: number): readonly Found[] {
  const params = { free: sizeText(freeBytes), size: sizeText(size) }
  if (freeBytes < FULL_BYTES) return [{ id: 'disk.full', subject: path, params }]
  return freeBytes < Math.max(LOW_BYTES, size) ? [{ id: 'disk.low', subject: path, params }] : []
}

function placeOf({ path, type }: FolderFacts): readonly Found[] {
  const network = NETWORK_TYPES.get(type)
  return network === undefined ? [] : [{ id: 'disk.network', subject: path, params: { type: network } }]
}

/** Users who cannot enter the folder cannot read its files, whatever the files' permissions say. */
function permissionsOf({ path, mode, files }: FolderFacts, databaseFile: string | undefined): readonly Found[] {
  const writable: readonly Found[] = (mode & OTHERS_WRITE) === 0 ? [] : [{ id: 'disk.writable_folder', subject: path }]
  if ((mode & OTHERS_ENTER) === 0) return writable
  const isOpen = (name: string): boolean => files.some((file) => file.name === name && (file.mode & OTHERS_READ) !== 0)
  return [
    ...writable,
    ...(isOpen('master.key') ? [{ id: 'disk.open_key', subject: `${path}/master.key` } as const] : []),
    ...(databaseFile !== undefined && isOpen(databaseFile) ? [{ id: 'disk.open_folder', subject: path } as const] : []),
  ]
}

function aboutFile(
  folder: string,
  { name, bytes, changedMs }: FileFacts,
  database: string | undefined,
  now: number,
): readonly Found[] {
  const subject = `${folder}/${name}`
  const size = sizeText(bytes)
  if (database !== undefined) {
    if (name === `${database}-wal` && bytes > LARGE_WAL_BYTES) return [{ id: 'disk.wal', subject, params: { size } }]
    if (name.startsWith(`${database}.records-`) && /\.damaged$|\.of-/.test(name)) {
      return [{ id: 'disk.records_aside', subject }]
    }
  }
  const isLeft = name.endsWith('.partial') || name.includes('.before-') || name.startsWith('import/')
  return isLeft && now - changedMs > DAY_MS ? [{ id: 'disk.left_behind', subject, params: { size } }] : []
}
