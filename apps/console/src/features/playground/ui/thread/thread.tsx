import { pathTo } from '../../model/branches.ts'
import { textOf } from '../../model/message.ts'
import { usePlaygroundState } from '../use-playground.ts'
import { LiveBody, MessageBody } from './message-body.tsx'
import { MessageList } from './message-list.tsx'

/** The conversation: one column, or two while models are compared. */
export function Thread() {
  const { conversation, columns } = usePlaygroundState()
  return (
    <div className="flex min-h-0 grow">
      {columns.map(({ live }, index) => {
        const path = pathTo(conversation.messages, conversation.leaves[index] ?? null)
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a column is its place
          <MessageList key={index} newest={path.findLast(({ role }) => role === 'user')?.id ?? ''}>
            {[
              ...path.map((message) => <MessageBody key={message.id} text={textOf(message.content)} />),
              ...(live === undefined ? [] : [<LiveBody key="live" live={live} />]),
            ]}
          </MessageList>
        )
      })}
    </div>
  )
}
