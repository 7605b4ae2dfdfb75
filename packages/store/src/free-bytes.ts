import { statfs } from 'node:fs/promises'

/** Free space of a disk, as its file system tells it to a user who is not root. */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
