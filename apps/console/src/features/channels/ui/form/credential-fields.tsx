import type { Channel } from '@sluice/contract/channel'
import type { KeyField as KeyFieldName } from '@sluice/contract/channel-kinds'
import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { defaultBaseUrlQuery } from '~/features/channels/calls.ts'
import { KEY_MODE, keyCount, type KeyNeed, mayStay } from '~/features/channels/model/channel-key.ts'
import { keyFormOf, kindOf, TYPE } from '~/features/channels/model/channel-kind.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { providerTexts } from '~/features/channels/texts/provider-texts.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { SelectField, TextField, SecretField } from '~/ui/form/form-fields.tsx'
import { Notice } from '~/ui/notice.tsx'
import type { ChannelControl } from './channel-form.tsx'
import { ConfigInput, PartInput, OtherField } from './config-input.tsx'
import { KeyModeField, KeysLink, useStoredKeysHint, useKeyNeed } from './key-mode-field.tsx'
import type { ChannelFormState } from './setting-fields.tsx'

interface CredentialFieldsProps {
  readonly form: ChannelFormState
  /** Undefined for a new channel, which must have a key; a stored one keeps its own. */
  readonly stored: Channel | undefined
}

export function CredentialFields({ form, stored }: CredentialFieldsProps) {
  const t = useTexts(providerTexts)
  const { control } = form
  const [typeText, chosen, baseUrlText] = useWatch({ control, name: ['type', 'key_form', 'base_url'] })
  const type = Number(typeText)
  const { baseUrl, keys, other, config } = kindOf(type)
  const keyForm = keyFormOf(type, chosen)
  const need = useKeyNeed(stored, type, baseUrlText)
  const notes: Readonly<Record<number, string>> = t.notes
  const note = notes[type]
  const showsAddress = baseUrl !== 'none' || (stored?.type === type && stored.base_url !== '')
  const parts: readonly KeyFieldName[] = [
    ...keyForm.parts,
    ...(keyForm.optionalPart === undefined ? [] : [keyForm.optionalPart]),
    ...(keyForm.config ?? []),
  ]
  return (
    <>
      {note !== undefined && <p className="text-muted text-sm wrap-anywhere">{note}</p>}
      {showsAddress && <BaseUrlField control={control} type={type} optional={baseUrl === 'optional'} />}
      {config.map((name) => (
        <ConfigInput key={name} control={control} name={name} type={type} />
      ))}
      {keys.length > 1 && (
        <SelectField
          control={control}
          name="key_form"
          label={t.keyForm}
          options={keys.map(({ id }, index) => ({ value: index === 0 ? '' : id, label: t.keyForms[id] }))}
        />
      )}
      <KeyNotice need={need} />
      {parts.map((name) =>
        name === 'key' ? (
          <KeyField key={name} control={control} type={type} need={need} stored={stored} />
        ) : (
          <PartInput key={name} control={control} name={name} type={type} keyForm={keyForm.id} isNew={need === 'new'} />
        ),
      )}
      <KeysLink stored={stored} />
      <KeyModeField control={control} type={type} need={need} stored={stored} />
      {other !== undefined && <OtherField control={control} other={other} />}
    </>
  )
}

function KeyNotice({ need }: { need: KeyNeed }) {
  const t = useTexts(channelTexts)
  if (need === 'new' || need === 'kept') return null
  const text = { otherAddress: t.keyOtherAddress, otherForm: t.keyOtherForm, movesAlong: t.keyMovesAlong }[need]
  return <Notice tone="info">{text}</Notice>
}

function BaseUrlField({ control, type, optional }: { control: ChannelControl; type: number; optional: boolean }) {
  const t = useTexts(channelTexts)
  const standard = useQuery(defaultBaseUrlQuery(useCall(), type)).data ?? ''
  return (
    <TextField
      control={control}
      name="base_url"
      label={t.fields.base_url.label}
      hint={optional && standard !== '' ? t.fields.base_url.hint : undefined}
      placeholder={standard || 'https://'}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
    />
  )
}

interface KeyFieldProps {
  readonly control: ChannelControl
  readonly type: number
  readonly need: KeyNeed
  readonly stored: Channel | undefined
}

function KeyField({ control, type, need, stored }: KeyFieldProps) {
  const t = useTexts(channelTexts)
  const storedHint = useStoredKeysHint(stored)
  const values = useWatch({ control })
  const { written } = kindOf(type)
  const isDocument = type === TYPE.coze && values.auth_type === 'oauth_jwt'
  const isNew = need === 'new'
  const lines = isNew && !isDocument ? keyCount(type, values.key ?? '', values.key_form ?? '') : 1
  const hints = [
    written === undefined ? '' : t.keyFormat(written),
    isDocument
      ? t.cozeJsonHint
      : isNew && !(lines > 1 && values.key_mode === KEY_MODE.one)
        ? lines > 1
          ? t.keyCount(String(lines))
          : t.keyHintNew
        : '',
    mayStay(need) ? storedHint : '',
  ]
  return <SecretField control={control} name="key" label={t.key} hint={hints.filter(Boolean).join(' ')} />
}
