import type { ReactNode } from 'react'
import { type ChatMessage, textOf } from '~/features/playground/model/message.ts'
import { threadTexts } from '~/features/playground/texts/thread/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { WarningIcon } from '~/ui/sign-icons.tsx'
import { MessageBody } from './message-body.tsx'
import { ReasoningBlock } from './reasoning-block.tsx'
import { ReplyFigures } from './reply-figures.tsx'
import { Quiet, RowFrame } from './row-frame.tsx'

interface FailedRowProps {
  readonly message: ChatMessage
  readonly narrow: boolean
  readonly plain: boolean
  readonly showsReasoning: boolean
  readonly actions: ReactNode
}

/** Replaces a reply that failed: why it failed, below what had arrived of it. */
export function FailedRow({ message, narrow, plain, showsReasoning, actions }: FailedRowProps) {
  const t = useTexts(threadTexts)
  const { content, arrived = '', reasoning_content, model = '', figures } = message
  return (
    <RowFrame narrow={narrow} label={t.failure}>
      {reasoning_content !== null && showsReasoning && (
        <ReasoningBlock live={false} answered={arrived !== ''}>
          <MessageBody text={reasoning_content} />
        </ReasoningBlock>
      )}
      {arrived !== '' && (
        <div dir="auto" className="mb-3">
          <MessageBody text={arrived} />
        </div>
      )}
      <div className="bg-bad-soft text-bad flex items-start gap-2 rounded-xl border border-transparent px-4 py-3 text-sm">
        <span className="mt-0.5">
          <WarningIcon />
        </span>
        <p dir="auto" className="min-w-0 wrap-anywhere whitespace-pre-wrap">
          {textOf(content)}
        </p>
      </div>
      <Quiet plain={plain} below>
        {actions}
        <ReplyFigures model={model} figures={figures} />
      </Quiet>
    </RowFrame>
  )
}
