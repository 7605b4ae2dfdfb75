import { clsx } from 'clsx'
import { useState } from 'react'
import { threadTexts } from '~/features/playground/texts/thread/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { useSetupControls } from '../setup/setup-controls.ts'
import { usePlayground, usePlaygroundState, useSetup } from '../use-playground.ts'
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
                <ThreadColumn
                  key={conversation.id}
                  conversation={conversation}
                  column={column}
                  live={live}
                  compares={compares}
                />
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

/** The model of a column, if both are visible, and a button to continue with it alone. */
function ColumnHeading({ column }: { column: number }) {
  const t = useTexts(threadTexts)
  const name = useColumnName()(column)
  const keep = useKeep()
  return (
    <div className="border-line hidden min-h-10 items-center gap-2 border-b ps-6 pe-2 @2xl/thread:flex">
      <h2 className="min-w-0 grow truncate text-sm font-medium">{name}</h2>
      <Button
        variant="ghost"
        size="small"
        disabled={keep === undefined}
        aria-label={t.keep(name)}
        data-tip={t.keep(name)}
        onClick={() => keep?.(column)}
      >
        {t.keepShort}
      </Button>
    </div>
  )
}

/** Ends the comparison, keeping the branch and the model of one column; undefined while replies are arriving. */
function useKeep(): ((column: number) => void) | undefined {
  const playground = usePlayground()
  const { conversation, busy } = usePlaygroundState()
  const { models } = useSetupControls()
  if (busy) return undefined
  return (column) => {
    playground.open({ ...conversation, leaves: [conversation.leaves[column] ?? null] })
    models.choose(0, models.models[column] ?? '')
  }
}

/** If two columns do not fit, one is visible and these switch to the other. */
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
