import type { KeyboardEvent, ReactNode } from 'react'
import { SaveControls } from './save-controls.tsx'
import type { SettingEditing } from './use-setting.ts'

interface EntryFormProps {
  readonly name: string
  readonly editing: SettingEditing
  /** The error message from the row. */
  readonly error: ReactNode
  readonly children: ReactNode
}

/** Wraps the control of one setting: Enter saves, in multi-line texts with Ctrl or Cmd, and Escape reverts to what is stored. */
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
