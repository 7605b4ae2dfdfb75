import { pathTo } from '../model/branches.ts'
import { type Conversation, textOf } from '../model/message.ts'
import { DEFAULT_PARAMETERS, NO_CAPABILITIES } from '../model/parameters.ts'
import { en } from '../texts/failures/en.ts'
import { createPlayground } from './create-playground.ts'
import type { Notification, Piece, PlaygroundParts, Question, ReplyCost, ReplyEnd, Setup } from './playground.ts'

/** A question on its way, answered by the test. */
export interface Asked {
  readonly question: Question
  readonly signal: AbortSignal
  readonly say: (kind: Piece['kind'], text: string) => void
  /** Ends the reply; resolves when the playground has seen it. */
  readonly end: (end: ReplyEnd) => Promise<void>
}

export const COMPLETE: ReplyEnd = { kind: 'complete', finish: 'stop' }
export const BROKEN: ReplyEnd = { kind: 'failed', failure: { kind: 'broken' } }
export const SETUP: Setup = {
  key: 'sk-test',
  models: ['m-1', 'm-2'],
  capabilitiesOf: () => NO_CAPABILITIES,
  parameters: { ...DEFAULT_PARAMETERS, systemMessage: '' },
}

/** A playground for tests: questions are answered by hand, frames and time go on by hand, what is stored can be read. */
export function askedByHand(initial?: Conversation) {
  const asked: Asked[] = []
  const frames = new Set<() => void>()
  const kept = new Map<string, Conversation>()
  const notes: Notification[] = []
  const costs = new Map<string, ReplyCost>()
  const soughtCosts: { readonly requestId: string; readonly isFresh: boolean; readonly signal: AbortSignal }[] = []
  let ids = 0
  let now = 1_000
  let keeps = 0
  const parts: PlaygroundParts = {
    ask: (question, onPiece, signal) => {
      const { promise, resolve } = Promise.withResolvers<ReplyEnd>()
      const end = async (how: ReplyEnd) => {
        resolve(how)
        await settled()
      }
      asked.push({ question, signal, say: (kind, text) => onPiece({ kind, text }), end })
      return promise
    },
    receiptOf: async (requestId, isFresh, signal) => {
      soughtCosts.push({ requestId, isFresh, signal })
      await Promise.resolve()
      return costs.get(requestId)
    },
    now: () => now,
    newId: () => `id-${(ids += 1)}`,
    user: 'ann',
    onFrame: (draw) => {
      frames.add(draw)
      return () => frames.delete(draw)
    },
    keep: (conversation) => {
      keeps += 1
      kept.set(conversation.id, conversation)
    },
    forget: (id) => void kept.delete(id),
    notify: (notification) => notes.push(notification),
    texts: () => en,
  }
  const playground = createPlayground(parts, initial)
  return {
    playground,
    asked,
    kept,
    notes,
    costs,
    soughtCosts,
    /** Frames that are waited for. */
    frames,
    keeps: () => keeps,
    drawFrame: () => {
      const due = [...frames]
      frames.clear()
      for (const draw of due) draw()
    },
    tick: (milliseconds: number) => {
      now += milliseconds
    },
    /** The last question that was asked. */
    last: () => {
      const question = asked.at(-1)
      if (question === undefined) throw new Error('nothing was asked')
      return question
    },
    /** What a column shows, as `role: text`. */
    shows: (column = 0) => {
      const { messages, leaves } = playground.get().conversation
      return pathTo(messages, leaves[column] ?? null).map(({ role, content }) => `${role}: ${textOf(content)}`)
    },
    /** Id of the message that a column shows at a place. */
    idAt: (place: number, column = 0) => {
      const { messages, leaves } = playground.get().conversation
      return pathTo(messages, leaves[column] ?? null).at(place)?.id ?? ''
    },
  }
}

/** Everything that waits for a promise has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
