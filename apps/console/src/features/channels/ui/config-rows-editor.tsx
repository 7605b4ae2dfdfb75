import { findModelConfigsProblem } from '@sluice/contract/channel-json'
import { useId, useState } from 'react'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { PlusIcon, TrashIcon } from '../../../ui/icons.tsx'
import {
  type ConfigRow,
  configRows,
  configText,
  EMPTY_CONFIG_ROW,
  repeatedNames,
  ROW_FIELDS,
  type RowField,
  rowPrice,
} from '../model/config-rows.ts'
import { editorTexts } from '../texts/editor-texts.ts'
import type { RowsProps } from './json-views.tsx'

const TRACKS = 'grid gap-2 sm:grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))_1.75rem]'

/** Model configs as rows: model, the two ratios, the cap. What else a model is set to stays, and is counted. */
export function ConfigRowsEditor({
  text,
  onChange,
  refused,
  models,
}: RowsProps & { readonly models: readonly string[] }) {
  const t = useTexts(editorTexts)
  const listId = useId()
  const [typed, setTyped] = useState({ text, rows: configRows(text) ?? [] })
  // Rows that are not models yet exist only here, as long as nobody else changed the text.
  const rows = typed.text === text ? typed.rows : (configRows(text) ?? [])
  const change = (next: readonly ConfigRow[]) => {
    setTyped({ text: configText(next), rows: next })
    onChange(configText(next))
  }
  const [repeated] = repeatedNames(rows.map(({ model }) => model))
  return (
    <div className="flex flex-col gap-2">
      {rows.length === 0 && <p className="text-muted text-sm">{t.noConfigs}</p>}
      {rows.length > 0 && (
        <div aria-hidden="true" className={`${TRACKS} text-muted text-xs max-sm:hidden`}>
          <span>{t.model}</span>
          <span>{t.ratio}</span>
          <span>{t.completionRatio}</span>
          <span>{t.maxTokens}</span>
        </div>
      )}
      {rows.map((row, index) => (
        <ConfigRowFields
          key={index}
          row={row}
          listId={listId}
          refused={refused}
          onChange={(next) => change(rows.with(index, next))}
          onRemove={() => change(rows.toSpliced(index, 1))}
        />
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
        <Button size="small" onClick={() => change([...rows, EMPTY_CONFIG_ROW])}>
          <PlusIcon />
          {t.addModel}
        </Button>
      </span>
    </div>
  )
}

interface ConfigRowFieldsProps {
  readonly row: ConfigRow
  readonly listId: string
  readonly refused: boolean
  readonly onChange: (row: ConfigRow) => void
  readonly onRemove: () => void
}

function ConfigRowFields({ row, listId, refused, onChange, onRemove }: ConfigRowFieldsProps) {
  const t = useTexts(editorTexts)
  const name = row.model.trim() || t.emptyRow
  const labels = { ratio: t.ratio, completion_ratio: t.completionRatio, max_tokens: t.maxTokens }
  const bad = refused ? badField(row) : undefined
  const price = rowPrice(row)
  const others = Object.keys(row.others).length
  return (
    <div role="group" aria-label={name} className="max-sm:border-line flex flex-col gap-1 max-sm:border-b max-sm:pb-3">
      <div className={`${TRACKS} items-start max-sm:grid-cols-3`}>
        <span className="flex gap-2 max-sm:col-span-3">
          <TextInput
            aria-label={t.model}
            placeholder={t.model}
            list={listId}
            value={row.model}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={bad === 'row' || undefined}
            onChange={(event) => onChange({ ...row, model: event.target.value })}
          />
          <span className="sm:hidden">
            <IconButton label={t.remove(name)} onClick={onRemove}>
              <TrashIcon />
            </IconButton>
          </span>
        </span>
        {ROW_FIELDS.map((field) => (
          <span key={field} className="min-w-0">
            <span aria-hidden="true" className="text-muted block truncate pb-0.5 text-xs sm:hidden">
              {labels[field]}
            </span>
            <TextInput
              type="number"
              inputMode="decimal"
              min={0}
              step={field === 'max_tokens' ? 1 : 'any'}
              aria-label={labels[field]}
              value={row[field]}
              aria-invalid={bad === field || undefined}
              onChange={(event) => onChange({ ...row, [field]: event.target.value })}
            />
          </span>
        ))}
        <span className="max-sm:hidden">
          <IconButton label={t.remove(name)} onClick={onRemove}>
            <TrashIcon />
          </IconButton>
        </span>
      </div>
      {(price !== undefined || others > 0) && (
        <p className="text-muted flex flex-wrap gap-x-3 text-xs tabular-nums">
          {price !== undefined && <span>{t.price(AMOUNT.format(price.input), AMOUNT.format(price.output))}</span>}
          {others > 0 && <span>{t.moreSettings(String(others))}</span>}
        </p>
      )}
    </div>
  )
}

const AMOUNT = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** The field at which a row breaks the rules of the form; `row` when it is the whole. */
function badField(row: ConfigRow): RowField | 'row' | undefined {
  const problem = findModelConfigsProblem(configText([row]))
  if (problem === undefined) return undefined
  const field = problem.kind === 'config_field' ? problem.field : ''
  return ROW_FIELDS.find((name) => name === field) ?? 'row'
}
