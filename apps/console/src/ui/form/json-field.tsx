import type { ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Field } from '../field.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { JsonBox } from './json-box.tsx'
import { jsonErrorPosition } from './json-position.ts'

interface JsonFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: ReactNode
  readonly actions?: ReactNode
}

/** Has line numbers, a mark at the line with the error, and a button that formats the text. */
export function JsonField<V extends FieldValues, Out>(props: JsonFieldProps<V, Out>) {
  const t = useTexts(uiTexts)
  const { control, name, label, hint } = props
  const { field, fieldState } = useController({ control, name })
  const text: unknown = field.value
  const value = typeof text === 'string' ? text : ''
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
        <span className="-me-2.5 flex flex-wrap justify-end">
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
      {(ids) => <JsonBox ids={ids} {...field} value={value} marked={broken?.line} />}
    </Field>
  )
}
