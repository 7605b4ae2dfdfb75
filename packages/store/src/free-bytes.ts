import { statfs } from 'node:fs/promises'

/** Free space on a disk that its file system grants to users other than root. */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
