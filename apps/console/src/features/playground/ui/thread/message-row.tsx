import { clsx } from 'clsx'
import { memo, type ReactNode, useState, useEffect } from 'react'
import type { LiveReply } from '~/features/playground/engine/playground.ts'
import { type ChatMessage, textOf, imagesOf } from '~/features/playground/model/message.ts'
import type { Row } from '~/features/playground/model/rows.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type Store, useStore } from '~/lib/store.ts'
import { WarningIcon } from '~/ui/icon.tsx'
import { Markdown } from '~/ui/markdown/markdown.tsx'
import { type LiveStore, useLive } from '../use-playground.ts'
import { MessageActions } from './message-actions.tsx'
import { MessageImages } from './message-images.tsx'
import { ReasoningBlock } from './reasoning-block.tsx'
import { ReplyFigures } from './reply-figures.tsx'
import { Quiet, RowFrame } from './row-frame.tsx'

interface MessageRowProps extends Omit<Row, 'key' | 'message'> {
  readonly message: Row['message'] | LiveStore
  readonly column: number
  readonly narrow: boolean
  /** Whether actions and figures stay visible. */
  readonly plain: boolean
  readonly showsReasoning: boolean
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, narrow, plain, showsReasoning, column, place, places, previous, next, answers } = props
  if ('get' in message) {
    return <ReplyRow reply={message} narrow={narrow} plain={plain} showsReasoning={showsReasoning} actions={null} />
  }
  const branch = { place, places, previous, next }
  const actions = <MessageActions message={message} column={column} answers={answers} {...branch} />
  const frame = { narrow, plain, actions }
  if (message.role === 'error') return <FailedRow message={message} showsReasoning={showsReasoning} {...frame} />
  if (message.role !== 'assistant') return <QuestionRow message={message} {...frame} />
  return <ReplyRow reply={message} showsReasoning={showsReasoning} {...frame} />
})

interface FailedRowProps {
  readonly message: ChatMessage
  readonly narrow: boolean
  readonly plain: boolean
  readonly showsReasoning: boolean
  readonly actions: ReactNode
}

function FailedRow({ message, narrow, plain, showsReasoning, actions }: FailedRowProps) {
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

interface QuestionRowProps {
  readonly message: ChatMessage
  readonly narrow: boolean
  readonly plain: boolean
  readonly actions: ReactNode
}

function QuestionRow({ message, narrow, plain, actions }: QuestionRowProps) {
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

/** Longer texts are folded, because pasted text should not push the answer out of sight. */
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

interface ReplyRowProps {
  readonly reply: ChatMessage | LiveStore
  readonly narrow: boolean
  readonly plain: boolean
  readonly showsReasoning: boolean
  readonly actions: ReactNode
}

/** A complete or an arriving reply. One component and one body for both, so that the end of a stream re-renders nothing. */
function ReplyRow({ reply, narrow, plain, showsReasoning, actions }: ReplyRowProps) {
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

function settled({ content, reasoning_content, model = '', timestamp }: ChatMessage): LiveStore {
  const reply: LiveReply = { text: textOf(content), reasoning: reasoning_content ?? '', startedAt: timestamp, model }
  return { get: () => reply, subscribe: () => () => undefined }
}

/** From here on the seconds are shown, because people begin to wonder whether anything is happening. */
const NOTEWORTHY_SECONDS = 3

function Waiting({ model, startedAt }: { model: string; startedAt: number }) {
  const t = useTexts(threadTexts)
  const seconds = useSecondsSince(startedAt)
  return (
    <p className="text-muted flex min-h-6 items-center gap-2 text-sm">
      <span aria-hidden="true" className="bg-accent size-2 animate-pulse rounded-full" />
      {t.waiting(model)}
      {seconds >= NOTEWORTHY_SECONDS && <span className="tabular-nums">{t.seconds(String(seconds))}</span>}
    </p>
  )
}

function useSecondsSince(startedAt: number): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - startedAt) / 1_000)), 1_000)
    return () => clearInterval(timer)
  }, [startedAt])
  return seconds
}

interface MessageBodyProps {
  readonly text: string
  readonly growing?: boolean
}

/** Renders markdown and loads nothing from elsewhere, so that no third party learns that the text is read. */
function MessageBody({ text, growing = false }: MessageBodyProps) {
  return <Markdown text={text} growing={growing} maths />
}

interface LiveBodyProps {
  readonly live: Pick<Store<LiveReply>, 'get' | 'subscribe'>
  readonly part?: 'text' | 'reasoning'
  /** False once the reply has arrived: its last block is then complete. */
  readonly growing: boolean
}

/** Subscribes to the reply itself, so that nothing around it is re-rendered. */
function LiveBody({ live, part = 'text', growing }: LiveBodyProps) {
  return <MessageBody text={useStore(live)[part]} growing={growing} />
}
