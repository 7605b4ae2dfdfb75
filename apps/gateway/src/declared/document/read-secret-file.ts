import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { UnfitFile } from './secrets.ts'

/**
 * Reads files for references: regular files of at most `limit` bytes. Refuses files in the data directory, which contains the
 * master key, and files of the system, through which a process can see its environment.
 */
export function createSecretFileReader(dataDir: string): (path: string, limit: number) => Promise<Uint8Array> {
  return async (path, limit) => {
    const real = await realpath(path)
    const data = await realpath(dataDir).catch(() => undefined)
    if (data !== undefined && (real === data || real.startsWith(data.endsWith(sep) ? data : data + sep))) {
      throw new UnfitFile('is in the data directory of the gateway')
    }
    if (/^\/(proc|sys|dev)\//.test(real)) throw new UnfitFile('is not a file on disk')
    // Opening a pipe that has no writer would otherwise block.
    await using file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    const { size } = await file.stat().then((stat) => {
      if (!stat.isFile()) throw new UnfitFile('is not a regular file')
      return stat
    })
    if (size > limit) throw new UnfitFile(`is larger than ${limit} bytes`)
    const buffer = Buffer.alloc(limit + 1)
    const { bytesRead } = await file.read(buffer, 0, limit + 1, 0)
    if (bytesRead > limit) throw new UnfitFile(`is larger than ${limit} bytes`)
    return buffer.subarray(0, bytesRead)
  }
}
