import { memo } from 'react'
import type { Row } from '~/features/playground/model/rows.ts'
import { FailedRow } from './failed-row.tsx'
import { MessageActions } from './message-actions.tsx'
import { QuestionRow } from './question-row.tsx'
import { ReplyRow } from './reply-row.tsx'
import type { LiveStore } from './use-live.ts'

interface MessageRowProps extends Omit<Row, 'key' | 'message'> {
  /** The text of the message, or the arriving reply. */
  readonly message: Row['message'] | LiveStore
  readonly column: number
  readonly narrow: boolean
  /** Actions and figures stay visible. */
  readonly plain: boolean
  readonly showsReasoning: boolean
}

/** One message with its actions. Takes the parts of a row as separate props, so that only rows that changed are re-rendered. */
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
