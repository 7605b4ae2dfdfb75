import { findModelConfigsProblem } from '@sluice/contract/channel-json'
import {
  CONFIG_ROWS,
  type ConfigRow,
  configText,
  ROW_FIELDS,
  type RowField,
  rowPrice,
  MAPPING_ROWS,
} from '~/features/channels/model/config-rows.ts'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { TextInput } from '~/ui/field.tsx'
import { ChevronRightIcon } from '~/ui/icons.tsx'
import type { RowsProps } from './json-views.tsx'
import { type EditedRow, NameInput, RemoveRow, RowsEditor } from './rows-editor.tsx'

const TRACKS = 'grid gap-2 sm:grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))_1.75rem]'

export function ConfigRowsEditor({ text, onChange, refused, models }: RowsProps) {
  const t = useTexts(editorTexts)
  return (
    <RowsEditor
      format={CONFIG_ROWS}
      text={text}
      onChange={onChange}
      models={models}
      header={
        <div aria-hidden="true" className={`${TRACKS} text-muted text-xs max-sm:hidden`}>
          <span>{t.model}</span>
          <span>{t.ratio}</span>
          <span>{t.completionRatio}</span>
          <span>{t.maxTokens}</span>
        </div>
      }
      none={t.noConfigs}
      add={t.addModel}
    >
      {(edited) => <ConfigRowFields {...edited} refused={refused} />}
    </RowsEditor>
  )
}

function ConfigRowFields(props: EditedRow<ConfigRow> & { readonly refused: boolean }) {
  const t = useTexts(editorTexts)
  const { row, name, listId, refused, onChange, onRemove } = props
  const labels = { ratio: t.ratio, completion_ratio: t.completionRatio, max_tokens: t.maxTokens }
  const bad = refused ? badField(row) : undefined
  const price = rowPrice(row)
  const others = Object.keys(row.others).length
  return (
    <div className="max-sm:border-line flex flex-col gap-1 max-sm:border-b max-sm:pb-3">
      <div className={`${TRACKS} items-start max-sm:grid-cols-3`}>
        <span className="flex gap-2 max-sm:col-span-3">
          <NameInput
            label={t.model}
            list={listId}
            value={row.model}
            invalid={bad === 'row'}
            onChange={(model) => onChange({ ...row, model })}
          />
          <span className="sm:hidden">
            <RemoveRow name={name} onRemove={onRemove} />
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
          <RemoveRow name={name} onRemove={onRemove} />
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

/** The invalid field of a row; `row` when the row as a whole is invalid. */
function badField(row: ConfigRow): RowField | 'row' | undefined {
  const problem = findModelConfigsProblem(configText([row]))
  if (problem === undefined) return undefined
  const field = problem.kind === 'config_field' ? problem.field : ''
  return ROW_FIELDS.find((name) => name === field) ?? 'row'
}

export function MappingRowsEditor({ text, onChange, models }: Omit<RowsProps, 'refused'>) {
  const t = useTexts(editorTexts)
  return (
    <RowsEditor
      format={MAPPING_ROWS}
      text={text}
      onChange={onChange}
      models={models}
      none={t.noMappings}
      add={t.addMapping}
    >
      {({ row, name, listId, onChange: change, onRemove }) => (
        <div className="flex items-center gap-2">
          <NameInput label={t.requested} list={listId} value={row.from} onChange={(from) => change({ ...row, from })} />
          <span className="text-muted">
            <ChevronRightIcon />
          </span>
          <NameInput label={t.upstream} value={row.to} onChange={(to) => change({ ...row, to })} />
          <RemoveRow name={name} onRemove={onRemove} />
        </div>
      )}
    </RowsEditor>
  )
}
