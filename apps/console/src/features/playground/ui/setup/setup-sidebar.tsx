import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { Field, Select } from '../../../../ui/field.tsx'
import { setupTexts } from '../../texts/setup/setup-texts.ts'
import { useSetupControls } from './setup-controls.ts'

/** Everything that can be set beside the conversation. */
export function SetupSidebar() {
  const t = useTexts(setupTexts)
  const { tokens, models } = useSetupControls()
  return (
    <div className="flex flex-col gap-4 p-4">
      <Field label={t.token}>
        {(control) => (
          <Select
            {...control}
            options={tokens.options.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={tokens.token?.id ?? ''}
            onChange={(event) => tokens.choose(Number(event.target.value))}
          />
        )}
      </Field>
      {models.models.map((model, column) => (
        <Field key={column} label={column === 0 ? t.model : t.secondModel}>
          {(control) => (
            <Select
              {...control}
              options={models.options.map(({ id, label }) => ({ value: id, label }))}
              value={model}
              onChange={(event) => models.choose(column, event.target.value)}
            />
          )}
        </Field>
      ))}
    </div>
  )
}
