import { clsx } from 'clsx'
import { type ReactNode, useId, useState } from 'react'
import { useController } from 'react-hook-form'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { JsonField } from '~/ui/form/json-field.tsx'
import type { ChannelControl } from './channel-form.tsx'

export interface RowsProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Whether the form was refused because of this text, so that its bad fields are marked. */
  readonly refused: boolean
  readonly models: readonly string[]
}

interface JsonViewsProps {
  readonly control: ChannelControl
  readonly name: 'model_mapping' | 'model_configs'
  readonly label: string
  readonly hint: string
  readonly actions?: ReactNode
  readonly fits: (text: string) => boolean
  readonly children: (rows: Omit<RowsProps, 'models'>) => ReactNode
}

/** Rows of fields, and the JSON text itself; only the text when rows cannot show it. */
export function JsonViews({ control, name, label, hint, actions, fits, children }: JsonViewsProps) {
  const t = useTexts(editorTexts)
  const { field, fieldState } = useController({ control, name })
  const [wanted, setWanted] = useState<'rows' | 'json'>('rows')
  const id = useId()
  const asRows = fits(field.value)
  const shown = asRows ? wanted : 'json'
  const choice = (
    <span role="group" aria-label={t.view(label)} className="inline-flex">
      {(['rows', 'json'] as const).map((view) => (
        <Button
          key={view}
          size="small"
          variant="ghost"
          aria-pressed={shown === view}
          disabled={view === 'rows' && !asRows}
          onClick={() => setWanted(view)}
        >
          <span className={clsx(shown === view && 'text-ink underline underline-offset-4')}>{t[view]}</span>
        </Button>
      ))}
    </span>
  )
  if (shown === 'json') {
    return (
      <JsonField
        control={control}
        name={name}
        label={label}
        hint={wanted === 'rows' && field.value !== '' ? `${hint} ${t.onlyJson}` : hint}
        actions={
          <>
            {choice}
            {actions}
          </>
        }
      />
    )
  }
  return (
    <div role="group" aria-labelledby={`${id}-label`} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span id={`${id}-label`} className="shrink-0 text-sm font-medium whitespace-nowrap">
          {label}
        </span>
        <span className="-me-2.5 flex flex-wrap justify-end">
          {choice}
          {actions}
        </span>
      </div>
      {children({ text: field.value, onChange: field.onChange, refused: fieldState.error !== undefined })}
      {fieldState.error?.message !== undefined && <p className="text-bad text-sm">{fieldState.error.message}</p>}
    </div>
  )
}
