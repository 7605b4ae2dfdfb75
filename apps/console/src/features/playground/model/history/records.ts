import * as v from 'valibot'
import { type Conversation, conversation as conversationSchema } from '../message.ts'
import { beyondLimits, bytesOf, type Summary, summary as summarySchema, titleOf } from './conversation-summary.ts'
import { type Records, TABLES } from './shelf.ts'

export interface StoredConversation {
  readonly summary: Summary
  readonly conversation: Conversation
}

/** The records of one user. Other users' records, and those that no longer fit, count as absent. */
export interface OwnRecords {
  summary(id: string): Promise<Summary | undefined>
  summaries(): Promise<readonly Summary[]>
  stored(id: string): Promise<StoredConversation | undefined>
  put(stored: StoredConversation): void
  remove(id: string): void
  tidy(): Promise<void>
  /** Removes what exceeds the limits, except `spared`. */
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
    async stored(id) {
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

/** `old` is the previous list entry of the conversation; `now` is in unix milliseconds. */
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
