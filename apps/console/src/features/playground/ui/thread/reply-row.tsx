import type { ReactNode } from 'react'
import type { LiveReply } from '~/features/playground/engine/playground.ts'
import { type ChatMessage, imagesOf, textOf } from '~/features/playground/model/message.ts'
import { threadTexts } from '~/features/playground/texts/thread/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { MessageImages } from '../images/message-images.tsx'
import { LiveBody } from './message-body.tsx'
import { ReasoningBlock } from './reasoning-block.tsx'
import { ReplyFigures } from './reply-figures.tsx'
import { Quiet, RowFrame } from './row-frame.tsx'
import { type LiveStore, useLive } from './use-live.ts'
import { Waiting } from './waiting.tsx'

interface ReplyRowProps {
  /** The reply, or what has arrived of it. */
  readonly reply: ChatMessage | LiveStore
  readonly narrow: boolean
  readonly plain: boolean
  readonly showsReasoning: boolean
  /** The actions on a complete reply. */
  readonly actions: ReactNode
}

/** A reply, complete or arriving. One component for both, and one body, so that the end of a stream re-renders nothing. */
export function ReplyRow({ reply, narrow, plain, showsReasoning, actions }: ReplyRowProps) {
  const t = useTexts(threadTexts)
  const message = 'get' in reply ? undefined : reply
  const store = 'get' in reply ? reply : settled(reply)
  const model = useLive(store, (live) => live.model)
  const answered = useLive(store, (live) => live.text !== '')
  const reasoned = useLive(store, (live) => live.reasoning !== '')
  return (
    <RowFrame narrow={narrow} label={t.reply(model)}>
      {reasoned && showsReasoning && (
        <ReasoningBlock live={message === undefined} answered={answered}>
          <LiveBody live={store} part="reasoning" growing={message === undefined} />
        </ReasoningBlock>
      )}
      {answered && (
        <div dir="auto">
          <LiveBody live={store} growing={message === undefined} />
        </div>
      )}
      {message === undefined && !answered && !(reasoned && showsReasoning) && (
        <Waiting model={model} startedAt={store.get().startedAt} />
      )}
      {message !== undefined && (
        <>
          <MessageImages images={imagesOf(message.content)} />
          <Quiet plain={plain} below>
            {actions}
            <ReplyFigures model={model} figures={message.figures} />
          </Quiet>
        </>
      )}
    </RowFrame>
  )
}

/** A reply that no longer changes. */
function settled({ content, reasoning_content, model = '', timestamp }: ChatMessage): LiveStore {
  const reply: LiveReply = { text: textOf(content), reasoning: reasoning_content ?? '', startedAt: timestamp, model }
  return { get: () => reply, subscribe: () => () => undefined }
}
