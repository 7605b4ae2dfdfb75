import { createStore, type Store } from '~/lib/store/store.ts'
import type { ReplyFigures } from '../model/message.ts'
import type { LiveReply, PlaygroundParts, Question, ReplyEnd } from './playground.ts'

export interface RunningReply {
  readonly live: Store<LiveReply>
  /** Ends it at once; its `onEnd` is no longer called. Returns what had arrived. */
  readonly abandon: () => ArrivedReply
}

export interface ArrivedReply {
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
