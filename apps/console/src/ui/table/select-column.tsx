import { useTexts } from '~/lib/i18n/i18n.ts'
import { tableTexts } from './texts/table-texts.ts'
import type { ShownColumn } from './use-list-table.ts'
import type { Selection } from './use-selection.ts'

interface SelectColumnParts<Row> {
  readonly selection: Selection<Row>
  readonly rowId: (row: Row) => string
  readonly nameOf: (row: Row) => string
}

export function selectColumn<Row>({ selection, rowId, nameOf }: SelectColumnParts<Row>): ShownColumn<Row> {
  return {
    id: 'select',
    header: '',
    width: '2.5rem',
    sorted: undefined,
    toggleSort: undefined,
    headerCell: <SelectPage selection={selection} />,
    cell: (row) => <SelectRow selection={selection} id={rowId(row)} name={nameOf(row)} />,
  }
}

function SelectPage<Row>({ selection }: { selection: Selection<Row> }) {
  const t = useTexts(tableTexts)
  return (
    <label className={BOX}>
      <input
        type="checkbox"
        className="accent-accent-solid size-4"
        aria-label={t.selectPage}
        checked={selection.ofPage === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = selection.ofPage === 'some'
        }}
        onChange={(event) => selection.pressPage(event.target.checked)}
      />
    </label>
  )
}

/** With Shift held, the checkbox selects everything from the last one pressed. */
export function SelectRow<Row>({ selection, id, name }: { selection: Selection<Row>; id: string; name: string }) {
  const t = useTexts(tableTexts)
  return (
    <label className={BOX}>
      <input
        type="checkbox"
        className="accent-accent-solid size-4"
        aria-label={t.selectRow(name)}
        checked={selection.has(id)}
        onChange={(event) => {
          const { nativeEvent } = event
          const range = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
          selection.press(id, event.target.checked, range)
        }}
      />
    </label>
  )
}

/** Larger than the box, so that it is easy to touch. */
const BOX = '-mx-3 flex h-9 w-10 shrink-0 items-center justify-center'
