import { describe, expect, it } from 'vitest'
import { clearSignedInKeys } from '~/lib/storage/keys.ts'
import { memoryStorage } from '~/lib/storage/stored-record.ts'
import { createDraft } from './use-attachments.ts'

describe('a draft', () => {
  it('is restored after a visit to another page, until it is sent', () => {
    const storage = memoryStorage()
    createDraft(storage).text.set('Half a thou')
    expect(createDraft(storage).text.get()).toBe('Half a thou')
    createDraft(storage).text.set('')
    expect(storage.length).toBe(0)
  })

  it('is kept only as long as the page if it is long', () => {
    const storage = memoryStorage()
    const draft = createDraft(storage)
    draft.text.set('short')
    draft.text.set('a'.repeat(20_001))
    expect(draft.text.get()).toHaveLength(20_001)
    expect(storage.length).toBe(0)
  })

  it('does not outlive a sign-out', { tags: 'S36' }, () => {
    const storage = memoryStorage()
    const draft = createDraft(storage)
    draft.text.set('a secret')
    clearSignedInKeys(storage)
    expect(createDraft(storage).text.get()).toBe('')
  })
})
