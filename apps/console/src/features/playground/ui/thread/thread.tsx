import { clsx } from 'clsx'
import { useState } from 'react'
import type { Column } from '~/features/playground/engine/playground.ts'
import type { Conversation } from '~/features/playground/model/message.ts'
import { liveKey, rowsOf } from '~/features/playground/model/rows.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { useDraft } from '../composer/use-attachments.ts'
import { useSetupControls } from '../setup/setup-controls.ts'
import { usePlayground, usePlaygroundState, useSetup } from '../use-playground.ts'
import { EditDialog } from './edit-dialog.tsx'
import { MessageList } from './message-list.tsx'
import { MessageRow } from './message-row.tsx'
import { ReplyAnnouncer } from './reply-announcer.tsx'
import { ThreadCommands, ThreadActionsContext, type Edited, useActions } from './use-actions.tsx'

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

/** Ends the comparison with the branch and model of one column; undefined while replies are arriving. */
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

/** Suggests first questions, which are put into the composer and never sent automatically. */
function EmptyThread({ compares }: { compares: boolean }) {
  const t = useTexts(threadTexts)
  const draft = useDraft()
  const take = (text: string) => {
    draft.text.set(text)
    draft.field.current?.focus()
  }
  return (
    <div className="flex min-h-0 grow flex-col overflow-y-auto">
      <div className="m-auto w-full max-w-3xl px-4 py-8 md:px-6">
        <h2 className="text-lg font-semibold tracking-tight">{t.emptyTitle}</h2>
        <p className="text-muted mt-1">{compares ? t.emptyCompare : t.emptyText}</p>
        <ul aria-label={t.suggestions} className="mt-5 grid gap-2 sm:grid-cols-2">
          {Object.entries(t.suggested).map(([id, { title, text }]) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => take(text)}
                className="border-line bg-surface hover:bg-hover h-full w-full rounded-xl border px-4 py-3 text-start transition-colors"
              >
                <span className="block text-sm font-medium">{title}</span>
                <span className="text-muted line-clamp-2 text-xs">{text.trim()}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

interface ThreadColumnProps {
  readonly conversation: Conversation
  readonly column: number
  readonly live: Column['live']
  readonly compares: boolean
}

/** An arriving reply has no branches yet. */
const ALONE = { place: 1, places: 1, previous: undefined, next: undefined, answers: true } as const

function ThreadColumn({ conversation, column, live, compares }: ThreadColumnProps) {
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
