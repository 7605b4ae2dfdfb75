import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import { type ChatMessage, imagesOf, textOf } from '~/features/playground/model/message.ts'
import { threadTexts } from '~/features/playground/texts/thread/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { MessageImages } from '../images/message-images.tsx'
import { Quiet, RowFrame } from './row-frame.tsx'

interface QuestionRowProps {
  readonly message: ChatMessage
  readonly narrow: boolean
  readonly plain: boolean
  readonly actions: ReactNode
}

/** The user's text as typed, or a system message from an imported file. */
export function QuestionRow({ message, narrow, plain, actions }: QuestionRowProps) {
  const t = useTexts(threadTexts)
  const text = textOf(message.content)
  const system = message.role === 'system'
  return (
    <RowFrame narrow={narrow} label={system ? t.system : t.question}>
      <div className="flex flex-col-reverse items-end justify-end gap-x-2 @xl:flex-row">
        <div className="@max-xl:-mb-3">
          <Quiet plain={plain}>{actions}</Quiet>
        </div>
        <div className="flex max-w-[92%] min-w-0 flex-col items-end gap-1.5 @xl:max-w-[85%]">
          {system && <p className="text-muted text-xs font-medium">{t.system}</p>}
          <MessageImages images={imagesOf(message.content)} />
          {text !== '' && <Said text={text} />}
        </div>
      </div>
    </RowFrame>
  )
}

/** A longer text is folded: pasted text should not push the answer out of sight. Characters, and lines. */
const FOLDED_FROM = { characters: 1_500, lines: 16 }

function Said({ text }: { text: string }) {
  const t = useTexts(threadTexts)
  const [open, setOpen] = useState(false)
  const long =
    text.length > FOLDED_FROM.characters || text.split('\n', FOLDED_FROM.lines + 1).length > FOLDED_FROM.lines
  return (
    <div className="bg-subtle max-w-full rounded-2xl border border-transparent px-4 py-2.5">
      <p dir="auto" className={clsx('wrap-anywhere whitespace-pre-wrap', long && !open && 'line-clamp-10')}>
        {text}
      </p>
      {long && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="text-accent mt-1 min-h-6 text-sm font-medium hover:underline"
        >
          {open ? t.showLess : t.showAll}
        </button>
      )}
    </div>
  )
}
