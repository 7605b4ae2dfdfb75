import * as v from 'valibot'
import { type Conversation, conversation as conversationSchema } from '../message.ts'
import { type Records, TABLES } from './shelf.ts'
import { beyondLimits, bytesOf, type Summary, summary as summarySchema, titleOf } from './summary.ts'

/** A conversation as it lies on the shelf. */
export interface Kept {
  readonly summary: Summary
  readonly conversation: Conversation
}

/** The records of one user. Those of others, and what no longer fits, are as if they were not there. */
export interface OwnRecords {
  summary(id: string): Promise<Summary | undefined>
  summaries(): Promise<readonly Summary[]>
  kept(id: string): Promise<Kept | undefined>
  put(kept: Kept): void
  remove(id: string): void
  /** Takes out what nobody will ever read. */
  tidy(): Promise<void>
  /** Takes out what is beyond the limits, `spared` never. */
  trim(spared: string): Promise<void>
}

export function recordsOf(records: Records, owner: number): OwnRecords {
  const summaryIn = (value: unknown) => {
    const parsed = v.safeParse(summarySchema, value)
    return parsed.success && parsed.output.owner === owner ? parsed.output : undefined
  }
  const own: OwnRecords = {
    summary: async (id) => summaryIn(await records.get('summaries', id)),
    summaries: async () => (await records.all('summaries')).flatMap((value) => summaryIn(value) ?? []),
    async kept(id) {
      const found = await own.summary(id)
      const content = v.safeParse(conversationSchema, await records.get('conversations', id))
      return found !== undefined && content.success ? { summary: found, conversation: content.output } : undefined
    },
    put({ summary, conversation }) {
      records.put('summaries', summary.id, summary)
      records.put('conversations', summary.id, conversation)
    },
    remove(id) {
      for (const table of TABLES) records.remove(table, id)
    },
    async tidy() {
      const ids = new Set((await own.summaries()).map(({ id }) => id))
      const found = [...(await records.ids('summaries')), ...(await records.ids('conversations'))]
      for (const id of found) if (!ids.has(id)) own.remove(id)
    },
    async trim(spared) {
      for (const id of beyondLimits(await own.summaries(), spared)) own.remove(id)
    },
  }
  return own
}

/** What the list says of a conversation that is written now. `old` is what it said before; `now` is unix milliseconds. */
export function summaryOf(conversation: Conversation, owner: number, old: Summary | undefined, now: number): Summary {
  return {
    id: conversation.id,
    owner,
    title: titleOf(conversation),
    startedAt: conversation.timestamp,
    changedAt: now,
    pinned: old?.pinned ?? false,
    messages: conversation.messages.length,
    bytes: bytesOf(conversation),
    revision: (old?.revision ?? 0) + 1,
  }
}
