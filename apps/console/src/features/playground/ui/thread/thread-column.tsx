import type { Column } from '~/features/playground/engine/playground.ts'
import type { Conversation } from '~/features/playground/model/message.ts'
import { liveKey, rowsOf } from '~/features/playground/model/rows.ts'
import { threadTexts } from '~/features/playground/texts/thread/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSetup } from '../use-playground.ts'
import { MessageList } from './message-list.tsx'
import { MessageRow } from './message-row.tsx'

interface ThreadColumnProps {
  readonly conversation: Conversation
  readonly column: number
  readonly live: Column['live']
  readonly compares: boolean
}

/** For an arriving reply: it has no branches until it has arrived. */
const ALONE = { place: 1, places: 1, previous: undefined, next: undefined, answers: true } as const

/** One branch of the conversation and the reply that is being written at its end. */
export function ThreadColumn({ conversation, column, live, compares }: ThreadColumnProps) {
  const t = useTexts(threadTexts)
  const { parameters, models } = useSetup()
  const { focusModeEnabled, showReasoningContent } = parameters
  const rows = rowsOf(conversation, column)
  const shared = { column, narrow: focusModeEnabled, showsReasoning: showReasoningContent }
  const newest = rows.findLast(({ message }) => message.role === 'user')?.message.id ?? ''
  return (
    <MessageList newest={newest} {...(compares && { label: t.column(String(column + 1), models[column] ?? '') })}>
      {[
        ...rows.map(({ key, ...row }, index) => (
          <MessageRow
            key={key}
            {...row}
            {...shared}
            plain={!focusModeEnabled || (index === rows.length - 1 && live === undefined)}
          />
        )),
        ...(live === undefined
          ? []
          : [<MessageRow key={liveKey(conversation, column)} message={live} {...ALONE} {...shared} plain />]),
      ]}
    </MessageList>
  )
}
