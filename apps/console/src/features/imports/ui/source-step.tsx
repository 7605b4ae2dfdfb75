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

export function SourceStep(props: SourceStepProps) {
  const { search, onChange, problem, run, isStarting, onCheck } = props
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
      <SourceFields {...props} />
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

type SourceFieldsProps = Pick<SourceStepProps, 'search' | 'onChange' | 'address' | 'onAddress'>

function SourceFields({ search, onChange, address, onAddress }: SourceFieldsProps) {
  const t = useTexts(importTexts).source
  return (
    <section className="border-line bg-surface flex flex-col gap-4 rounded-lg border p-4 md:p-5">
      <StepHeading>{t.title}</StepHeading>
      <fieldset className={`${SEGMENTS} self-start max-sm:w-full max-sm:flex-col`}>
        <legend className="sr-only">{t.title}</legend>
        {(['upload', 'address'] as const).map((from) => (
          <label key={from} className={SEGMENT}>
            <input
              type="radio"
              name="from"
              checked={search.from === from}
              onChange={() => onChange({ from })}
              className="sr-only"
            />
            {from === 'upload' ? t.file : t.address}
          </label>
        ))}
      </fieldset>
      {search.from === 'upload' ? (
        <FileField search={search} onChange={onChange} />
      ) : (
        <div className="min-h-44">
          <Field label={t.address} hint={t.addressHint}>
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
  )
}

interface ChoiceFieldsProps {
  readonly search: ImportSearch
  readonly onChange: (change: Partial<ImportSearch>) => void
}

function ChoiceFields({ search, onChange }: ChoiceFieldsProps) {
  const t = useTexts(importTexts).choices
  return (
    <section className="border-line bg-surface flex flex-col gap-4 rounded-lg border p-4 md:p-5">
      <h2 className="text-base leading-7 font-semibold">{t.title}</h2>
      <div className="grid gap-4 md:grid-cols-2">
        <ChoiceSelect label={t.logs} texts={t.logsAre} value={search.logs} onChange={(logs) => onChange({ logs })} />
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
        <ChoiceSelect
          label={t.debts}
          texts={t.debtsAre}
          value={search.debts}
          onChange={(debts) => onChange({ debts })}
        />
        <ChoiceSelect
          label={t.prices}
          texts={t.pricesAre}
          value={search.prices}
          onChange={(prices) => onChange({ prices })}
        />
        <ChoiceSelect
          label={t.roots}
          hint={t.rootsHint}
          texts={t.rootsAre}
          value={search.roots}
          onChange={(roots) => onChange({ roots })}
        />
      </div>
      <Checkbox
        label={t.leaveOut}
        hint={t.leaveOutHint}
        checked={search.leave}
        onChange={({ target }) => onChange({ leave: target.checked })}
      />
      <NameField search={search} onChange={onChange} />
    </section>
  )
}

/** The name under which rows of this source are remembered; seldom needed. */
function NameField({ search, onChange }: ChoiceFieldsProps) {
  const t = useTexts(importTexts).choices
  return (
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
  )
}

interface ChoiceSelectProps<Value extends string> {
  readonly label: string
  readonly hint?: string
  readonly texts: Readonly<Record<Value, string>>
  readonly value: Value
  readonly onChange: (value: Value) => void
}

function ChoiceSelect<Value extends string>({ label, hint, texts, value, onChange }: ChoiceSelectProps<Value>) {
  const values = Object.keys(texts) as Value[]
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <Select
          {...ids}
          options={values.map((each) => ({ value: each, label: texts[each] }))}
          value={value}
          onChange={({ target }) => onChange(values.find((each) => each === target.value) ?? value)}
        />
      )}
    </Field>
  )
}
