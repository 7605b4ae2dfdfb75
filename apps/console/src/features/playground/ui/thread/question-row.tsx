import type { ReactNode } from 'react'
import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { type ChatMessage, imagesOf, textOf } from '../../model/message.ts'
import { threadTexts } from '../../texts/thread/thread-texts.ts'
import { MessageImages } from '../images/message-images.tsx'
import { Quiet, RowFrame } from './row-frame.tsx'

interface QuestionRowProps {
  readonly message: ChatMessage
  readonly narrow: boolean
  readonly plain: boolean
  readonly actions: ReactNode
}

/** What the user said, as it was typed. */
export function QuestionRow({ message, narrow, plain, actions }: QuestionRowProps) {
  const t = useTexts(threadTexts)
  const text = textOf(message.content)
  return (
    <RowFrame narrow={narrow} label={t.question}>
      <div className="flex flex-col-reverse items-end justify-end gap-x-2 @xl:flex-row">
        <Quiet plain={plain}>{actions}</Quiet>
        <div className="flex min-w-0 flex-col items-end gap-1.5 @xl:max-w-[85%]">
          <MessageImages images={imagesOf(message.content)} />
          {text !== '' && (
            <p dir="auto" className="bg-subtle rounded-2xl px-4 py-2.5 wrap-anywhere whitespace-pre-wrap">
              {text}
            </p>
          )}
        </div>
      </div>
    </RowFrame>
  )
}
