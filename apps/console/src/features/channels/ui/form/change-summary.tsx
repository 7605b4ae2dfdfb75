import type { Channel } from '@sluice/contract/channel'
import { useWatch } from 'react-hook-form'
import { type Change, changesOf } from '~/features/channels/model/changes.ts'
import type { ChannelFormInput } from '~/features/channels/model/channel-form-values.ts'
import { KEY_MODE, mayStay } from '~/features/channels/model/channel-key.ts'
import { channelTypeName } from '~/features/channels/model/channel-types.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { providerTexts } from '~/features/channels/texts/provider-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { ChannelControl } from './channel-form.tsx'
import { useKeyNeed } from './key-mode-field.tsx'

interface ChangeSummaryProps {
  readonly control: ChannelControl
  readonly start: ChannelFormInput
  readonly stored: Channel
}

export function ChangeSummary({ control, start, stored }: ChangeSummaryProps) {
  const t = useTexts(editorTexts)
  const nameOf = useFieldNames()
  const values = useWatch({ control })
  const need = useKeyNeed(stored, Number(values.type), values.base_url ?? '')
  const isAdded = values.key_mode === KEY_MODE.append && mayStay(need)
  const changes = changesOf(start, values)
  if (changes.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="w-fit rounded-md py-0.5 font-medium">
        {`${changes.length} ${changes.length === 1 ? t.change : t.changeMany}: `}
        <span className="text-muted font-normal">{changes.map(({ field }) => nameOf(field)).join(', ')}</span>
      </summary>
      <dl aria-label={t.changesTitle} className="mt-2 flex max-h-56 flex-col gap-2 overflow-y-auto pe-1">
        {changes.map((change) => (
          <div key={change.field} className="grid gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
            <dt className="text-muted">{nameOf(change.field)}</dt>
            <dd className="min-w-0 wrap-anywhere">
              <ChangeText change={change} isAdded={isAdded} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** `isAdded`: typed keys are added to the stored ones. */
function ChangeText({ change, isAdded }: { change: Change; isAdded: boolean }) {
  const t = useTexts(editorTexts)
  const keys = useTexts(keyTexts)
  switch (change.kind) {
    case 'secret':
      return isAdded ? keys.added : t.newKey
    case 'names':
      return (
        <span className="flex flex-wrap gap-x-3">
          {change.added.map((name) => (
            <ins key={name} className="text-good no-underline">{`+ ${name}`}</ins>
          ))}
          {change.gone.map((name) => (
            <del key={name} className="text-bad no-underline">{`− ${name}`}</del>
          ))}
        </span>
      )
    case 'lines':
      return (
        <span className="block overflow-x-auto font-mono text-xs leading-5">
          {change.lines.map(({ sign, text }, index) =>
            sign === '+' ? (
              <ins key={index} className="text-good block whitespace-pre no-underline">{`+ ${text}`}</ins>
            ) : (
              <del key={index} className="text-bad block whitespace-pre no-underline">{`− ${text}`}</del>
            ),
          )}
        </span>
      )
    case 'value': {
      const [before, after] = [change.before, change.after].map((value) => shownValue(change.field, value))
      return (
        <>
          <del className="text-muted">{before || t.empty}</del>
          {' → '}
          <ins className="no-underline">{after || t.empty}</ins>
        </>
      )
    }
  }
}

function shownValue(field: keyof ChannelFormInput, value: string): string {
  return field === 'type' ? channelTypeName(Number(value)) : value
}

function useFieldNames(): (field: keyof ChannelFormInput) => string {
  const t = useTexts(channelTexts)
  const p = useTexts(providerTexts)
  const names: Readonly<Partial<Record<keyof ChannelFormInput, string>>> = {
    ...p.fields,
    ...Object.fromEntries(Object.entries(t.fields).map(([field, { label }]) => [field, label])),
    key: t.key,
    auth_type: t.authType,
    api_format: t.apiFormat,
    credentials: t.keyOwner,
    caller_ratio: t.callerRatio,
  }
  return (field) => names[field] ?? field
}
