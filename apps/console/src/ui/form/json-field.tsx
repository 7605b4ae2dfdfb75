import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Field } from '../field.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { jsonErrorPosition } from './json-position.ts'

const FEWEST_LINES = 4

interface JsonFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: ReactNode
  /** Buttons beside Format. */
  readonly actions?: ReactNode
}

/** JSON, in a form, with line numbers, a mark at the line where it breaks, and a button that lays it out. */
export function JsonField<V extends FieldValues, Out>(props: JsonFieldProps<V, Out>) {
  const t = useTexts(uiTexts)
  const { control, name, label, hint } = props
  const { field, fieldState } = useController({ control, name })
  const text: unknown = field.value
  const value = typeof text === 'string' ? text : ''
  const lines = value.split('\n').length
  const broken = value.trim() === '' ? undefined : jsonErrorPosition(value)
  return (
    <Field
      label={label}
      error={fieldState.error?.message}
      hint={
        <>
          {hint}
          <span role="status" className="block">
            {broken !== undefined && t.jsonBroken(String(broken.line), String(broken.column))}
          </span>
        </>
      }
      aside={
        <span className="-mr-2.5 flex flex-wrap justify-end">
          {props.actions}
          <Button
            size="small"
            variant="ghost"
            disabled={broken !== undefined || value.trim() === ''}
            onClick={() => field.onChange(JSON.stringify(JSON.parse(value), undefined, 2))}
          >
            {t.formatJson}
          </Button>
        </span>
      }
    >
      {(ids) => (
        <div
          className={clsx(
            'border-control bg-surface focus-within:outline-accent flex max-h-80 overflow-y-auto rounded-md border font-mono text-xs leading-5 focus-within:outline-2 focus-within:outline-offset-2 max-md:text-entry max-md:leading-6',
            ids['aria-invalid'] === true && 'border-bad',
          )}
        >
          <LineNumbers count={lines} marked={broken?.line} />
          <textarea
            {...ids}
            {...field}
            value={value}
            rows={Math.max(FEWEST_LINES, lines)}
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            className="min-h-max min-w-0 grow resize-none overflow-x-auto overflow-y-hidden bg-transparent px-2.5 pt-1.5 pb-4 outline-none"
          />
        </div>
      )}
    </Field>
  )
}

/** Numbers beside the lines; the one that is marked stands out by colour and weight. */
function LineNumbers({ count, marked }: { count: number; marked: number | undefined }) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const at = marked === undefined ? count : marked - 1
  return (
    <div
      aria-hidden="true"
      className="bg-subtle text-muted min-h-max shrink-0 px-2 pt-1.5 text-right whitespace-pre tabular-nums select-none"
    >
      {numbers.slice(0, at).map((line) => `${line}\n`)}
      {marked !== undefined && <b className="bg-bad-soft text-bad -mx-2 block px-2">{marked}</b>}
      {numbers.slice(at + 1).map((line) => `${line}\n`)}
    </div>
  )
}
