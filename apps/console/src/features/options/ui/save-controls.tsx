import type { MouseEvent, KeyboardEvent, ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, Spinner } from '~/ui/button.tsx'
import { CheckIcon, WarningIcon } from '~/ui/icon.tsx'
import { optionTexts } from '../texts/option-texts.ts'
import type { SettingEditing } from './use-setting.ts'

interface SaveControlsProps {
  readonly name: string
  readonly editing: SettingEditing
}

function SaveControls({ name, editing }: SaveControlsProps) {
  const t = useTexts(optionTexts)
  if (!editing.isDirty || editing.state.is === 'saving') return <SaveState name={name} editing={editing} />
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <span className="text-muted me-auto text-xs">{t.unsaved}</span>
      <Button
        size="small"
        aria-label={t.revertSetting(name)}
        onClick={(event) => {
          keepFocus(event)
          editing.revert()
        }}
      >
        {t.revert}
      </Button>
      <Button size="small" variant="primary" type="submit" aria-label={t.saveSetting(name)} onClick={keepFocus}>
        {t.save}
      </Button>
    </div>
  )
}

/** Keeps the focus on the setting, because these buttons disappear after use. */
export function keepFocus({ currentTarget }: MouseEvent<HTMLElement>): void {
  if (document.activeElement !== currentTarget) return
  currentTarget.closest<HTMLElement>('[data-setting]')?.focus({ preventScroll: true })
}

const LINE = 'flex min-h-6 items-center justify-end gap-x-2 text-xs'
const ACTION = 'text-accent min-h-6 font-medium hover:underline'

/** Saving, saved with Undo, or failed with the entry to restore; empty before the first save. */
export function SaveState({ name, editing }: SaveControlsProps) {
  const t = useTexts(optionTexts)
  const { state, edit, undo } = editing
  switch (state.is) {
    case 'idle':
      return null
    case 'saving':
      return (
        <p className={`text-muted ${LINE}`}>
          <Spinner />
          {t.saving}
        </p>
      )
    case 'saved': {
      const { before } = state
      return (
        <p className={`text-good ${LINE}`}>
          <CheckIcon />
          {t.saved}
          {before !== undefined && (
            <button
              type="button"
              aria-label={t.undoSetting(name)}
              className={ACTION}
              onClick={(event) => {
                keepFocus(event)
                undo(before)
              }}
            >
              {t.undo}
            </button>
          )}
        </p>
      )
    }
    case 'failed': {
      const { entry } = state
      return (
        <div className="text-bad flex items-start gap-2 text-xs">
          <WarningIcon />
          <div className="min-w-0 wrap-anywhere">
            {t.notSaved(state.reason)}
            {entry !== undefined && (
              <button
                type="button"
                className={`block ${ACTION}`}
                onClick={(event) => {
                  keepFocus(event)
                  edit(entry)
                }}
              >
                {t.restoreEntry}
              </button>
            )}
          </div>
        </div>
      )
    }
  }
}

interface EntryFormProps {
  readonly name: string
  readonly editing: SettingEditing
  readonly error: ReactNode
  readonly children: ReactNode
}

/** Enter saves, in multi-line texts with Ctrl or Cmd; Escape reverts to what is stored. */
export function EntryForm({ name, editing, error, children }: EntryFormProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && editing.isDirty) {
      event.preventDefault()
      editing.revert()
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      editing.save()
    }
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-1.5"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        editing.save()
      }}
    >
      {children}
      {error}
      <SaveControls name={name} editing={editing} />
    </form>
  )
}
