import { useId, useState } from 'react'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { ChevronRightIcon, PlusIcon, TrashIcon } from '../../../ui/icons.tsx'
import { type MappingRow, mappingRows, mappingText, repeatedNames } from '../model/config-rows.ts'
import { editorTexts } from '../texts/editor-texts.ts'
import type { RowsProps } from './json-views.tsx'

/** A model mapping as rows: the name that is asked for, and the name at the provider. */
export function MappingRowsEditor({
  text,
  onChange,
  models,
}: Omit<RowsProps, 'refused'> & { readonly models: readonly string[] }) {
  const t = useTexts(editorTexts)
  const listId = useId()
  const [typed, setTyped] = useState({ text, rows: mappingRows(text) ?? [] })
  // Rows that are no entries yet exist only here, as long as nobody else changed the text.
  const rows = typed.text === text ? typed.rows : (mappingRows(text) ?? [])
  const change = (next: readonly MappingRow[]) => {
    setTyped({ text: mappingText(next), rows: next })
    onChange(mappingText(next))
  }
  const [repeated] = repeatedNames(rows.map(({ from }) => from))
  return (
    <div className="flex flex-col gap-2">
      {rows.length === 0 && <p className="text-muted text-sm">{t.noMappings}</p>}
      {rows.map((row, index) => (
        <div key={index} role="group" aria-label={row.from.trim() || t.emptyRow} className="flex items-center gap-2">
          <TextInput
            aria-label={t.requested}
            placeholder={t.requested}
            list={listId}
            value={row.from}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(rows.with(index, { ...row, from: event.target.value }))}
          />
          <span className="text-muted rtl:-scale-x-100">
            <ChevronRightIcon />
          </span>
          <TextInput
            aria-label={t.upstream}
            placeholder={t.upstream}
            value={row.to}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(rows.with(index, { ...row, to: event.target.value }))}
          />
          <IconButton label={t.remove(row.from.trim() || t.emptyRow)} onClick={() => change(rows.toSpliced(index, 1))}>
            <TrashIcon />
          </IconButton>
        </div>
      ))}
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
        <Button size="small" onClick={() => change([...rows, { from: '', to: '' }])}>
          <PlusIcon />
          {t.addMapping}
        </Button>
      </span>
    </div>
  )
}
