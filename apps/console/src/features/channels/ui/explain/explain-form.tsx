import { useQuery } from '@tanstack/react-query'
import { type RefObject, useId, useRef, useState } from 'react'
import { groupNamesQuery, knownModelsQuery } from '~/features/channels/calls.ts'
import {
  draftOf,
  type DraftProblem,
  type ExplainDraft,
  searchOf,
  type Whose,
  EXPLAINED_PATHS,
  isSameQuestion,
} from '~/features/channels/model/explain-question.ts'
import type { ExplainSearch } from '~/features/channels/model/explain-search.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { matchingOptions } from '~/ui/combobox/use-listbox.ts'
import { Field, Select, TextInput } from '~/ui/field.tsx'

interface ExplainFormProps {
  readonly search: ExplainSearch
  readonly busy: boolean
  readonly onAsk: (search: ExplainSearch) => void
}

const NONE: ReadonlySet<DraftProblem> = new Set()

export function ExplainForm(props: ExplainFormProps) {
  const { search, busy } = props
  const t = useTexts(channelRoutingTexts)
  const form = useRef<HTMLFormElement>(null)
  const { draft, set, problems, isRequested, submit } = useQuestion(props, form)
  const error = (field: DraftProblem, text: string) => (problems.has(field) ? text : undefined)
  return (
    <form
      ref={form}
      noValidate
      aria-label={t.thought}
      className="border-line bg-surface flex flex-col gap-4 rounded-lg border p-4 md:p-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h2 className="font-semibold">{t.thought}</h2>
      <ModelField value={draft.model} error={error('model', t.modelRequired)} onChange={(model) => set({ model })} />
      <Field label={t.path}>
        {(control) => (
          <Select
            {...control}
            value={draft.path}
            options={pathOptions(draft.path)}
            onChange={(event) => set({ path: event.target.value })}
          />
        )}
      </Field>
      <WhoseFields draft={draft} error={error('id', t.idRequired)} set={set} />
      <details open={search.session !== '' || search.channel !== undefined}>
        <summary className="text-muted w-fit cursor-pointer text-sm select-none">{t.rarely}</summary>
        <RareFields draft={draft} error={error('channel', t.idRequired)} set={set} />
      </details>
      <Button type="submit" variant="primary" busy={busy}>
        {isRequested ? t.again : t.explain}
      </Button>
    </form>
  )
}

/** `isRequested`: whether the entered question is the one that was asked. */
function useQuestion({ search, onAsk }: ExplainFormProps, form: RefObject<HTMLFormElement | null>) {
  const [draft, setDraft] = useState(() => draftOf(search))
  const [inForce, setInForce] = useState(search)
  if (!isSameQuestion(inForce, search)) {
    setInForce(search)
    setDraft(draftOf(search))
  }
  const [problems, setProblems] = useState(NONE)
  const set = (change: Partial<ExplainDraft>) => {
    setDraft({ ...draft, ...change })
    setProblems(NONE)
  }
  const wanted = searchOf(draft)
  const isRequested = isSearch(wanted) && isSameQuestion(wanted, search)
  const submit = () => {
    if (!isSearch(wanted)) {
      setProblems(wanted)
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      return
    }
    setProblems(NONE)
    onAsk(wanted)
  }
  return { draft, set, problems, isRequested, submit }
}

function ModelField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (model: string) => void
}) {
  const t = useTexts(channelRoutingTexts)
  const listId = useId()
  const { data } = useQuery(knownModelsQuery(useCall()))
  const names = matchingOptions([...new Set(Object.values(data ?? {}).flat())].toSorted(), value)
  return (
    <Field label={t.model} error={error}>
      {(control) => (
        <>
          <TextInput
            {...control}
            list={listId}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={listId}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

interface DraftFieldsProps {
  readonly draft: ExplainDraft
  readonly error: string | undefined
  readonly set: (change: Partial<ExplainDraft>) => void
}

function RareFields({ draft, error, set }: DraftFieldsProps) {
  const t = useTexts(channelRoutingTexts)
  return (
    <div className="mt-3 flex flex-col gap-4">
      <Field label={t.session} hint={t.sessionHint}>
        {(control) => (
          <TextInput {...control} value={draft.session} onChange={(event) => set({ session: event.target.value })} />
        )}
      </Field>
      <Field label={t.channel} hint={t.channelHint} error={error}>
        {(control) => (
          <TextInput
            {...control}
            inputMode="numeric"
            value={draft.channel}
            onChange={(event) => set({ channel: event.target.value })}
          />
        )}
      </Field>
    </div>
  )
}

function WhoseFields({ draft: { whose, group, id }, error, set }: DraftFieldsProps) {
  const t = useTexts(channelRoutingTexts)
  const { data: groups = [] } = useQuery(groupNamesQuery(useCall()))
  const kinds = (['group', 'user', 'token'] as const).map((value) => ({ value, label: t.whoseKinds[value] }))
  const groupOptions = [...new Set([...groups, group])].map((value) => ({ value, label: value }))
  return (
    <>
      <Field label={t.whose}>
        {(control) => (
          <Select
            {...control}
            value={whose}
            options={kinds}
            onChange={(event) => set({ whose: whoseOf(event.target.value) })}
          />
        )}
      </Field>
      {whose === 'group' ? (
        <Field label={t.group}>
          {(control) => (
            <Select
              {...control}
              value={group}
              options={groupOptions}
              onChange={(event) => set({ group: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <Field label={whose === 'user' ? t.userId : t.tokenId} error={error}>
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              value={id}
              onChange={(event) => set({ id: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

function pathOptions(path: string) {
  return [...new Set<string>([...EXPLAINED_PATHS, path])].map((value) => ({ value, label: value }))
}

const whoseOf = (value: string): Whose => (value === 'user' || value === 'token' ? value : 'group')

function isSearch(search: ExplainSearch | ReadonlySet<DraftProblem>): search is ExplainSearch {
  return 'model' in search
}
