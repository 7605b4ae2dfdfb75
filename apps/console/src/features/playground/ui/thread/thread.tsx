import { clsx } from 'clsx'
import { useState } from 'react'
import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { threadTexts } from '../../texts/thread/thread-texts.ts'
import { usePlaygroundState, useSetup } from '../use-playground.ts'
import { EditDialog } from './edit-dialog.tsx'
import { EmptyThread } from './empty-thread.tsx'
import { ReplyAnnouncer } from './reply-announcer.tsx'
import { ThreadActionsContext } from './thread-actions.ts'
import { ThreadColumn } from './thread-column.tsx'
import { ThreadCommands } from './thread-commands.tsx'
import { type Edited, useActions } from './use-actions.ts'

/** The conversation: one column, or two while models are compared. */
export function Thread() {
  const { conversation, columns, busy } = usePlaygroundState()
  const [edited, setEdited] = useState<Edited>()
  const actions = useActions(setEdited)
  const compares = columns.length > 1
  const [sight, setSight] = useState(0)
  return (
    <ThreadActionsContext value={actions}>
      <ThreadCommands />
      <ReplyAnnouncer columns={columns} />
      {conversation.messages.length === 0 && !busy ? (
        <EmptyThread compares={compares} />
      ) : (
        <div className="@container/thread flex min-h-0 grow flex-col">
          {compares && <ColumnTabs sight={sight} onChoose={setSight} />}
          <div className="divide-line flex min-h-0 grow @2xl/thread:divide-x">
            {columns.map(({ live }, column) => (
              <div
                // oxlint-disable-next-line react/no-array-index-key -- a column is its place
                key={column}
                className={clsx(
                  '@container min-w-0 flex-1 flex-col',
                  compares && column !== sight ? 'hidden @2xl/thread:flex' : 'flex',
                )}
              >
                {compares && <ColumnHeading column={column} />}
                <ThreadColumn conversation={conversation} column={column} live={live} compares={compares} />
              </div>
            ))}
          </div>
        </div>
      )}
      {edited !== undefined && <EditDialog edited={edited} onClose={() => setEdited(undefined)} />}
    </ThreadActionsContext>
  )
}

function useColumnName(): (column: number) => string {
  const t = useTexts(threadTexts)
  const { models } = useSetup()
  return (column) => t.column(String(column + 1), models[column] ?? '')
}

/** Which model a column asks, where both are in sight. */
function ColumnHeading({ column }: { column: number }) {
  const name = useColumnName()(column)
  return (
    <h2 className="border-line hidden truncate border-b px-6 py-2 text-sm font-medium @2xl/thread:block">{name}</h2>
  )
}

/** Where two columns do not fit, one is in sight and these lead to the other. */
function ColumnTabs({ sight, onChoose }: { sight: number; onChoose: (column: number) => void }) {
  const t = useTexts(threadTexts)
  const nameOf = useColumnName()
  return (
    <div role="group" aria-label={t.columns} className="border-line flex border-b @2xl/thread:hidden">
      {[0, 1].map((column) => (
        <button
          key={column}
          type="button"
          aria-pressed={column === sight}
          onClick={() => onChoose(column)}
          className="text-muted aria-pressed:text-ink aria-pressed:border-accent min-h-10 min-w-0 flex-1 truncate border-b-2 border-transparent px-3 text-sm font-medium"
        >
          {nameOf(column)}
        </button>
      ))}
    </div>
  )
}
