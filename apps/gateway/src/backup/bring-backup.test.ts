import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bringBackup } from './bring-backup.ts'

let folder = ''
let to = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-bring-'))
  to = join(folder, 'brought')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const HEADER = Buffer.from('SQLite format 3\0', 'latin1')

function source(listed: number, chunks: readonly Buffer[]) {
  let sent = 0
  const read = async function* () {
    for (const chunk of chunks) {
      sent += 1
      yield chunk
    }
  }
  return {
    words: 's3://bucket/backup',
    bytes: listed,
    manifest: undefined,
    read,
    close: async () => {},
    sent: () => sent,
  }
}

describe('a backup that is brought', () => {
  it('is written as it was sent', async () => {
    await bringBackup(source(20, [HEADER, Buffer.from('rest')]), to)
    expect(await readFile(to, 'latin1')).toBe('SQLite format 3\0rest')
  })

  it('is not written beyond what its store has listed, for which there is room', { tags: 'S38' }, async () => {
    const endless = source(1_016, [HEADER, ...Array.from({ length: 1_000 }, () => Buffer.alloc(1_000))])
    await expect(bringBackup(endless, to)).rejects.toThrow('is larger than the 1016 bytes that were listed')
    expect([endless.sent(), (await stat(to)).size]).toEqual([3, 1_016])
  })

  it('is refused when it ends early', async () => {
    await expect(bringBackup(source(17, [HEADER]), to)).rejects.toThrow('ended after 16 of the 17 bytes')
  })
})
