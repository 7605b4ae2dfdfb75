import { createStore, type Store } from '~/lib/store.ts'
import type { ReplyFigures, ChatMessage } from '../model/message.ts'
import type { LiveReply, PlaygroundParts, Question, ReplyEnd } from './playground.ts'

export interface RunningReply {
  readonly live: Store<LiveReply>
  /** Ends the reply at once, without calling its `onEnd`. Returns what had arrived. */
  readonly abandon: () => ArrivedReply
}

interface ArrivedReply {
  readonly text: string
  readonly reasoning: string
  readonly figures: ReplyFigures
}

/** Sends the request, and draws what arrives at most once per frame. `onEnd` is called once, after this returns. */
export function startReply(
  { ask, now, onFrame }: Pick<PlaygroundParts, 'ask' | 'now' | 'onFrame'>,
  question: Question,
  model: string,
  onEnd: (arrived: ArrivedReply, end: ReplyEnd) => void,
): RunningReply {
  const startedAt = now()
  const live = createStore<LiveReply>({ text: '', reasoning: '', startedAt, model })
  const stop = new AbortController()
  const received = { text: '', reasoning: '', requestId: '' }
  let firstTokenMs: number | undefined
  let cancelFrame: (() => void) | undefined
  let isOver = false

  const draw = () => {
    cancelFrame = undefined
    live.set({ text: received.text, reasoning: received.reasoning, startedAt, model })
  }
  const close = (): ArrivedReply => {
    isOver = true
    cancelFrame?.()
    const { text, reasoning, requestId } = received
    const first = firstTokenMs === undefined ? {} : { firstTokenMs }
    return { text, reasoning, figures: { requestId, ...first, totalMs: now() - startedAt } }
  }

  void ask(
    question,
    ({ kind, text }) => {
      if (isOver) return
      received[kind] += text
      if (kind === 'requestId') return
      firstTokenMs ??= now() - startedAt
      cancelFrame ??= onFrame(draw)
    },
    stop.signal,
  ).then((end) => {
    if (!isOver) onEnd(close(), end)
  })

  return {
    live,
    abandon: () => {
      const arrived = close()
      stop.abort()
      return arrived
    },
  }
}

type ReplyPosition = Pick<ChatMessage, 'id' | 'parent' | 'timestamp'> & { readonly model: string }

export function replyMessage(
  position: ReplyPosition,
  { text, reasoning, figures }: ArrivedReply,
  end?: ReplyEnd,
): ChatMessage {
  const finish = end?.kind === 'complete' && end.finish !== '' ? { finish: end.finish } : {}
  return {
    ...position,
    role: 'assistant',
    content: text,
    reasoning_content: reasoning === '' ? null : reasoning,
    figures: { ...figures, ...finish },
  }
}

export function errorMessage(
  position: ReplyPosition,
  { text, reasoning, figures }: ArrivedReply,
  why: string,
): ChatMessage {
  return {
    ...position,
    role: 'error',
    content: why,
    reasoning_content: reasoning === '' ? null : reasoning,
    error: true,
    figures,
    ...(text === '' ? {} : { arrived: text }),
  }
}
