import { MAPPING_ROWS } from '~/features/channels/model/config-rows.ts'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { ChevronRightIcon } from '~/ui/icons.tsx'
import type { RowsProps } from './json-views.tsx'
import { NameInput, RemoveRow, RowsEditor } from './rows-editor.tsx'

/** A model mapping as rows: the requested name, and the name at the provider. */
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
