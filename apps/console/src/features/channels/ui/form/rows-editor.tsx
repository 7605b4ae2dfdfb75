import { type ReactNode, useId, useState } from 'react'
import { repeatedNames, type RowsFormat } from '~/features/channels/model/config-rows.ts'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, IconButton } from '~/ui/button.tsx'
import { TextInput } from '~/ui/field.tsx'
import { PlusIcon, TrashIcon } from '~/ui/icons.tsx'

export interface EditedRow<Row> {
  readonly row: Row
  /** The row's name in a sentence. */
  readonly name: string
  /** Id of the list of suggested models. */
  readonly listId: string
  readonly onChange: (row: Row) => void
  readonly onRemove: () => void
}

interface RowsEditorProps<Row> {
  readonly format: RowsFormat<Row>
  readonly text: string
  readonly onChange: (text: string) => void
  readonly models: readonly string[]
  readonly header?: ReactNode
  readonly none: string
  readonly add: string
  readonly children: (edited: EditedRow<Row>) => ReactNode
}

/** A JSON text as rows. Warns that only one of two rows with the same name will be kept. */
export function RowsEditor<Row>({ format, text, onChange, models, header, none, add, children }: RowsEditorProps<Row>) {
  const t = useTexts(editorTexts)
  const listId = useId()
  const [typed, setTyped] = useState({ text, rows: format.read(text) ?? [] })
  // Rows that are not entries yet exist only here, until something else changes the text.
  const rows = typed.text === text ? typed.rows : (format.read(text) ?? [])
  const change = (next: readonly Row[]) => {
    const written = format.write(next)
    setTyped({ text: written, rows: next })
    onChange(written)
  }
  const [repeated] = repeatedNames(rows.map(format.nameOf))
  return (
    <div className="flex flex-col gap-2">
      {rows.length === 0 ? <p className="text-muted text-sm">{none}</p> : header}
      {rows.map((row, index) => {
        const name = format.nameOf(row).trim() || t.emptyRow
        return (
          <div key={index} role="group" aria-label={name}>
            {children({
              row,
              name,
              listId,
              onChange: (next) => change(rows.with(index, next)),
              onRemove: () => change(rows.toSpliced(index, 1)),
            })}
          </div>
        )
      })}
      <datalist id={listId}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      {repeated !== undefined && (
        <p role="status" className="text-bad text-sm">
          {t.repeated(repeated)}
        </p>
      )}
      <span>
        <Button size="small" onClick={() => change([...rows, format.empty])}>
          <PlusIcon />
          {add}
        </Button>
      </span>
    </div>
  )
}

interface NameInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly list?: string
  readonly invalid?: boolean
}

export function NameInput({ label, value, onChange, list, invalid = false }: NameInputProps) {
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      list={list}
      value={value}
      autoComplete="off"
      spellCheck={false}
      aria-invalid={invalid || undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

export function RemoveRow({ name, onRemove }: { name: string; onRemove: () => void }) {
  const t = useTexts(editorTexts)
  return (
    <IconButton label={t.remove(name)} onClick={onRemove}>
      <TrashIcon />
    </IconButton>
  )
}
