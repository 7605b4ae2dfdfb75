import { pathTo } from '../model/branches.ts'
import { type Conversation, textOf } from '../model/message.ts'
import { DEFAULT_PARAMETERS, NO_CAPABILITIES } from '../model/parameters.ts'
import { en } from '../texts/failures-texts.ts'
import { createPlayground } from './create-playground.ts'
import type { Notification, Piece, PlaygroundParts, Question, ReplyCost, ReplyEnd, Setup } from './playground.ts'

export interface PendingQuestion {
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

/** For tests, which answer questions, advance frames and time, and read what is stored. */
export function createManualPlayground(initial?: Conversation) {
  const { parts, ...records } = recordedParts()
  const { questions, frames } = records
  const playground = createPlayground(parts, initial)
  const pathOf = (column: number) => {
    const { messages, leaves } = playground.get().conversation
    return pathTo(messages, leaves[column] ?? null)
  }
  return {
    ...records,
    playground,
    drawFrame: () => {
      const due = [...frames]
      frames.clear()
      for (const draw of due) draw()
    },
    last: () => {
      const question = questions.at(-1)
      if (question === undefined) throw new Error('nothing was asked')
      return question
    },
    /** What a column shows, as `role: text`. */
    shows: (column = 0) => pathOf(column).map(({ role, content }) => `${role}: ${textOf(content)}`),
    /** Id of the message at a position of a column. */
    idAt: (place: number, column = 0) => pathOf(column).at(place)?.id ?? '',
  }
}

function recordedParts() {
  const questions: PendingQuestion[] = []
  const frames = new Set<() => void>()
  const saved = new Map<string, Conversation>()
  const notes: Notification[] = []
  const costs = new Map<string, ReplyCost>()
  const soughtCosts: { readonly requestId: string; readonly isFresh: boolean; readonly signal: AbortSignal }[] = []
  let ids = 0
  let now = 1_000
  let saves = 0
  const parts: PlaygroundParts = {
    ask: (question, onPiece, signal) => {
      const { promise, resolve } = Promise.withResolvers<ReplyEnd>()
      const end = async (how: ReplyEnd) => {
        resolve(how)
        await settled()
      }
      questions.push({ question, signal, say: (kind, text) => onPiece({ kind, text }), end })
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
    save: (conversation) => {
      saves += 1
      saved.set(conversation.id, conversation)
    },
    forget: (id) => void saved.delete(id),
    notify: (notification) => notes.push(notification),
    texts: () => en,
  }
  const tick = (milliseconds: number) => {
    now += milliseconds
  }
  return { parts, questions, frames, saved, notes, costs, soughtCosts, saves: () => saves, tick }
}

/** Resolves when everything that waits for a promise has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
