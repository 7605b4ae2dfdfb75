import { describe, expect, it } from 'vitest'
import { importFile } from './import-file.ts'
import { MOST_IMPORT_BYTES } from './read-conversation.ts'
import { sha256 } from './sha256.ts'

const parts = { newId: () => 'new', now: 0 }
const CONTENT = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })
const digest = sha256(new TextEncoder().encode(CONTENT)).slice(0, 16)

describe('importing a file', () => {
  it.each([
    [`hi-${digest}.json`, false],
    [`hi-${digest} (2).json`, false],
    ['hi.json', false],
    [`hi-${'0'.repeat(16)}.json`, true],
  ])('%s was altered: %s', async (name, altered) => {
    expect(await importFile(new File([CONTENT], name), parts)).toMatchObject({ ok: true, altered })
  })

  it('accepts no more than 50 MB', async () => {
    expect(MOST_IMPORT_BYTES).toBe(50 * 1024 * 1024)
    const result = await importFile(new File([new Uint8Array(MOST_IMPORT_BYTES + 1)], 'a.json'), parts)
    expect(result).toEqual({ ok: false, problem: 'too-large' })
  })

  it('says so when the file no longer exists', async () => {
    class Gone extends File {
      override arrayBuffer(): Promise<ArrayBuffer> {
        return Promise.reject(new DOMException('gone', 'NotFoundError'))
      }
    }
    expect(await importFile(new Gone([], 'a.json'), parts)).toEqual({ ok: false, problem: 'unreadable' })
  })
})
