import type { ImportRun } from '@sluice/contract/import'
import { Link } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { Field, TextInput, Checkbox, Select } from '~/ui/field.tsx'
import { Notice } from '~/ui/notice.tsx'
import { SEGMENT, SEGMENTS } from '~/ui/segments.ts'
import { type ImportSearch, shortSearch } from '../model/import-search.ts'
import { importTexts } from '../texts/import-texts.ts'
import { FileField } from './file-field.tsx'
import { StepHeading } from './use-start-import.tsx'

interface SourceStepProps {
  readonly search: ImportSearch
  readonly onChange: (change: Partial<ImportSearch>) => void
  readonly address: string
  readonly onAddress: (address: string) => void
  readonly problem: string
  readonly run: ImportRun | null
  readonly isStarting: boolean
  readonly onCheck: () => void
}

/** What to import, and how. */
export function SourceStep(props: SourceStepProps) {
  const { search, onChange, address, onAddress, problem, run, isStarting, onCheck } = props
  const t = useTexts(importTexts)
  return (
    <form
      className="flex flex-col gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onCheck()
      }}
    >
      {run?.outcome === 'running' && (
        <Notice tone="info">
          {t.source.running}{' '}
          <Link to="/import" search={shortSearch({ ...search, step: run.mode })} className="font-medium underline">
            {t.source.watch}
          </Link>
        </Notice>
      )}
      <section className="border-line bg-surface flex flex-col gap-4 rounded-lg border p-4 md:p-5">
        <StepHeading>{t.source.title}</StepHeading>
        <fieldset className={`${SEGMENTS} self-start max-sm:w-full max-sm:flex-col`}>
          <legend className="sr-only">{t.source.title}</legend>
          {(['upload', 'address'] as const).map((from) => (
            <label key={from} className={SEGMENT}>
              <input
                type="radio"
                name="from"
                checked={search.from === from}
                onChange={() => onChange({ from })}
                className="sr-only"
              />
              {from === 'upload' ? t.source.file : t.source.address}
            </label>
          ))}
        </fieldset>
        {search.from === 'upload' ? (
          <FileField search={search} onChange={onChange} />
        ) : (
          <div className="min-h-44">
            <Field label={t.source.address} hint={t.source.addressHint}>
              {(ids) => (
                <TextInput
                  {...ids}
                  mono
                  inputMode="url"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  placeholder="mysql://user:password@10.0.0.7:3306/oneapi"
                  value={address}
                  onChange={(event) => onAddress(event.target.value)}
                />
              )}
            </Field>
          </div>
        )}
      </section>
      <ChoiceFields search={search} onChange={onChange} />
      {problem !== '' && <Notice tone="bad">{problem}</Notice>}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" busy={isStarting} disabled={run?.outcome === 'running'}>
          {t.check}
        </Button>
        <span className="text-muted text-sm">{t.checkHint}</span>
      </div>
    </form>
  )
}

interface ChoiceFieldsProps {
  readonly search: ImportSearch
  readonly onChange: (change: Partial<ImportSearch>) => void
}

/** How the data is taken. */
function ChoiceFields({ search, onChange }: ChoiceFieldsProps) {
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
