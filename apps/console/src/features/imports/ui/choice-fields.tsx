import { useTexts } from '~/lib/i18n/i18n.ts'
import { Checkbox, Field, Select, TextInput } from '~/ui/field.tsx'
import type { ImportSearch } from '../model/import-search.ts'
import { importTexts } from '../texts/import-texts.ts'

interface ChoiceFieldsProps {
  readonly search: ImportSearch
  readonly onChange: (change: Partial<ImportSearch>) => void
}

/** How the data is taken. */
export function ChoiceFields({ search, onChange }: ChoiceFieldsProps) {
  const t = useTexts(importTexts).choices
  const logs = choice(t.logsAre)
  const debts = choice(t.debtsAre)
  const prices = choice(t.pricesAre)
  const roots = choice(t.rootsAre)
  return (
    <section className="border-line bg-surface flex flex-col gap-4 rounded-lg border p-4 md:p-5">
      <h2 className="text-base leading-7 font-semibold">{t.title}</h2>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label={t.logs}>
          {(ids) => (
            <Select
              {...ids}
              options={logs.options}
              value={search.logs}
              onChange={({ target }) => onChange({ logs: logs.read(target.value, search.logs) })}
            />
          )}
        </Field>
        <Field label={t.since} hint={t.sinceHint}>
          {(ids) => (
            <TextInput
              {...ids}
              type="date"
              disabled={search.logs === 'none'}
              value={search.since}
              onChange={({ target }) => onChange({ since: target.value })}
            />
          )}
        </Field>
        <Field label={t.debts}>
          {(ids) => (
            <Select
              {...ids}
              options={debts.options}
              value={search.debts}
              onChange={({ target }) => onChange({ debts: debts.read(target.value, search.debts) })}
            />
          )}
        </Field>
        <Field label={t.prices}>
          {(ids) => (
            <Select
              {...ids}
              options={prices.options}
              value={search.prices}
              onChange={({ target }) => onChange({ prices: prices.read(target.value, search.prices) })}
            />
          )}
        </Field>
        <Field label={t.roots} hint={t.rootsHint}>
          {(ids) => (
            <Select
              {...ids}
              options={roots.options}
              value={search.roots}
              onChange={({ target }) => onChange({ roots: roots.read(target.value, search.roots) })}
            />
          )}
        </Field>
      </div>
      <Checkbox
        label={t.leaveOut}
        hint={t.leaveOutHint}
        checked={search.leave}
        onChange={({ target }) => onChange({ leave: target.checked })}
      />
      <details open={search.name !== ''}>
        <summary className="text-muted text-sm font-medium">{t.advanced}</summary>
        <div className="pt-3 md:max-w-md">
          <Field label={t.name} hint={t.nameHint}>
            {(ids) => (
              <TextInput
                {...ids}
                mono
                maxLength={31}
                autoCapitalize="none"
                spellCheck={false}
                value={search.name}
                onChange={({ target }) => onChange({ name: target.value })}
              />
            )}
          </Field>
        </div>
      </details>
    </section>
  )
}

/** The options of a select, and what was chosen in it. */
function choice<Value extends string>(texts: Readonly<Record<Value, string>>) {
  const values = Object.keys(texts) as Value[]
  return {
    options: values.map((value) => ({ value, label: texts[value] })),
    read: (text: string, before: Value): Value => values.find((value) => value === text) ?? before,
  }
}
