import { clsx } from 'clsx'
import { type KeyboardEvent, useState } from 'react'
import { type Summary, TITLE_MAX } from '~/features/playground/model/history/conversation-summary.ts'
import type { Hit } from '~/features/playground/model/history/text-search.ts'
import { historyTexts } from '~/features/playground/texts/history-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { TextInput } from '~/ui/field.tsx'
import { MoreIcon } from '~/ui/icons.tsx'
import { Menu, MenuItem } from '~/ui/menu.tsx'
import { Time } from '~/ui/time.tsx'

interface ConversationRowProps {
  readonly entry: Summary
  readonly shown: boolean
  readonly hit: Hit | undefined
  readonly onOpen: () => void
  readonly onRename: (title: string) => void
  readonly onPin: () => void
  readonly onRemove: () => void
}

export function ConversationRow({ entry, shown, hit, onOpen, onRename, onPin, onRemove }: ConversationRowProps) {
  const t = useTexts(historyTexts)
  const [renaming, setRenaming] = useState(false)
  const title = entry.title === '' ? t.picture : entry.title
  const rename = (wanted: string) => {
    setRenaming(false)
    if (wanted.trim() !== entry.title) onRename(wanted.trim())
  }
  if (renaming) {
    return (
      <li className="p-1">
        <TitleField title={entry.title} onDone={rename} onCancel={() => setRenaming(false)} />
      </li>
    )
  }
  return (
    <li className={clsx('flex items-center rounded-md pe-1', shown ? 'bg-accent-soft' : 'hover:bg-hover')}>
      <button
        type="button"
        data-conversation
        aria-current={shown || undefined}
        onClick={onOpen}
        className="min-w-0 grow rounded-md px-2.5 py-1.5 text-start"
      >
        <span className="block truncate font-medium">{title}</span>
        <span className="text-muted block truncate text-xs">
          {hit === undefined ? (
            <>
              <Time at={entry.changedAt / 1_000} /> · {t.messages(entry.messages)}
            </>
          ) : (
            <>
              {hit.before}
              <mark className="text-accent bg-transparent font-medium">{hit.match}</mark>
              {hit.after}
            </>
          )}
        </span>
      </button>
      <Menu
        label={t.actionsFor(title)}
        trigger={(trigger) => (
          <IconButton label={t.actionsFor(title)} {...trigger}>
            <MoreIcon />
          </IconButton>
        )}
      >
        <MenuItem onSelect={() => setRenaming(true)}>{t.rename}</MenuItem>
        <MenuItem onSelect={onPin}>{entry.pinned ? t.unpin : t.pin}</MenuItem>
        <MenuItem danger onSelect={onRemove}>
          {t.remove}
        </MenuItem>
      </Menu>
    </li>
  )
}

interface TitleFieldProps {
  readonly title: string
  readonly onDone: (title: string) => void
  readonly onCancel: () => void
}

/** Enter and leaving the field save the title, Escape does not. The first question replaces an empty title. */
function TitleField({ title, onDone, onCancel }: TitleFieldProps) {
  const t = useTexts(historyTexts)
  const [text, setText] = useState(title)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') onDone(text)
    if (event.key === 'Escape') {
      // Otherwise it would also close the dialog.
      event.preventDefault()
      onCancel()
    }
  }
  return (
    <TextInput
      aria-label={t.newTitle}
      ref={(field) => field?.focus()}
      value={text}
      maxLength={TITLE_MAX}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => onDone(text)}
      onFocus={(event) => event.target.select()}
    />
  )
}
