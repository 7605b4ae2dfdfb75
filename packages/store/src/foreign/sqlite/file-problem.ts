/** SQLite's primary result codes that concern the file (sqlite.org/rescode.html). */
const SENTENCES: ReadonlyMap<number, string> = new Map([
  [5, 'is locked by the program that is using it; stop that program, or try again'],
  [7, 'needs more memory than is available'],
  [
    8,
    'was not closed properly by its program, which left a rollback journal: start and stop that program once, then try again',
  ],
  [10, 'cannot be read from the disk'],
  [11, 'is damaged'],
  [13, 'does not fit on the disk of the temporary directory'],
  [14, 'cannot be opened: the user of this process must be able to read it and its -wal and -shm files'],
  [26, 'is not a SQLite database, or is encrypted'],
])
const PRIMARY = 0xff

/** Node's codes for refusals by the system. */
const SYSTEM: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['ENOTDIR', 'does not exist'],
  ['EACCES', 'cannot be read by the user of this process'],
  ['EPERM', 'cannot be read by the user of this process'],
  ['ELOOP', 'is a symbolic link to itself'],
  ['ENAMETOOLONG', 'does not exist'],
  ['ENOSPC', 'does not fit on the disk of the temporary directory'],
  ['EIO', 'cannot be read from the disk'],
])

/** What is wrong with a file, as the second half of a sentence about it; undefined when the error is not about a file. */
export function fileProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined
  if (errcode !== undefined) return SENTENCES.get(errcode & PRIMARY) ?? `cannot be read (SQLite: ${error.message})`
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return SYSTEM.get(code)
}
