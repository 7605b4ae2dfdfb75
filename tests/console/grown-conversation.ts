import type { Page } from '@playwright/test'
import type { Conversation } from '../../apps/console/src/features/playground/model/message.ts'

/** Lengthens this browser's stored conversation with the same question and a long reply, again and again. */
export async function growConversation(page: Page, count: number, reply: string): Promise<void> {
  await page.evaluate(
    async ([most, text]) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result))
          request.addEventListener('error', () => reject(request.error ?? new Error('no database')))
        })
      const database = await done(indexedDB.open('sluice.playground'))
      const records = database.transaction('conversations', 'readwrite').objectStore('conversations')
      const [id] = await done(records.getAllKeys())
      const [kept] = (await done(records.getAll())) as Conversation[]
      if (id === undefined || kept === undefined) throw new Error('nothing is kept')
      const [question, answer] = kept.messages
      if (question === undefined || answer?.content !== 'first words') throw new Error('not all is kept yet')
      const messages = [...kept.messages]
      while (messages.length < most) {
        const parent = messages.at(-1)?.id ?? null
        const asks = messages.length % 2 === 0
        messages.push({ ...(asks ? question : { ...answer, content: text }), id: `grown-${messages.length}`, parent })
      }
      await done(records.put({ ...kept, messages, leaves: [messages.at(-1)?.id ?? null] }, id))
      database.close()
    },
    [count, reply] as const,
  )
}
