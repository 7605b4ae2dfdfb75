import type { SECTIONS } from '@sluice/contract/fields/kinds'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import {
  FORM_SETTINGS,
  type ChannelFormInput,
  type ChannelFormValues,
} from '~/features/channels/model/channel-form-values.ts'
import { kindOf } from '~/features/channels/model/channel-kind.ts'
import { CHANNEL_TYPE_OPTIONS } from '~/features/channels/model/channel-types.ts'
import { channelTexts, type FieldText } from '~/features/channels/texts/channel-texts.ts'
import { providerTexts } from '~/features/channels/texts/provider-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { NumberField, TextAreaField, TextField, SelectField } from '~/ui/form/form-fields.tsx'
import { JsonField } from '~/ui/form/json-field.tsx'
import { Notice } from '~/ui/notice.tsx'
import type { ChannelControl } from './channel-form.tsx'

const APART: readonly string[] = [
  'name',
  'type',
  'base_url',
  'other',
  'models',
  'model_mapping',
  'model_configs',
  'groups',
]

interface SettingFieldsProps {
  readonly control: ChannelControl
  readonly section: (typeof SECTIONS)[number]
  /** The setting to leave out. */
  readonly without?: string
}

export function SettingFields({ control, section, without }: SettingFieldsProps) {
  const t = useTexts(channelTexts)
  const settings = FORM_SETTINGS.filter(
    ({ field, ...setting }) => setting.section === section && field !== without && !APART.includes(field),
  )
  return settings.map(({ field, kind, least }) => {
    const text: FieldText = t.fields[field]
    const props = { control, name: field, ...text }
    switch (kind) {
      case 'number':
        return <NumberField key={field} {...props} {...(least === 0 && { min: 0 })} step={1} />
      case 'json':
        return <JsonField key={field} {...props} />
      case 'long':
        return <TextAreaField key={field} {...props} />
      case 'text':
        return <TextField key={field} {...props} autoComplete="off" />
      case 'names':
      case 'code':
        throw new Error(`${field} needs a control of its own`)
    }
  })
}

export type ChannelFormState = UseFormReturn<ChannelFormInput, unknown, ChannelFormValues>

export function BasicsFields({ form }: { form: ChannelFormState }) {
  const t = useTexts(channelTexts)
  const { control } = form
  return (
    <>
      <TextField control={control} name="name" label={t.fields.name.label} autoComplete="off" maxLength={100} />
      <SelectField
        control={control}
        name="type"
        label={t.fields.type.label}
        options={[{ value: '', label: t.chooseType }, ...CHANNEL_TYPE_OPTIONS]}
      />
      <StandingNotice form={form} />
    </>
  )
}

function StandingNotice({ form }: { form: ChannelFormState }) {
  const t = useTexts(providerTexts)
  const { name, standing } = kindOf(Number(useWatch({ control: form.control, name: 'type' })))
  if (standing === undefined) return null
  const instead = kindOf(standing.instead)
  return (
    <Notice tone={standing.state === 'closed' ? 'bad' : 'info'}>
      <p>{t.standing[standing.state](name, instead.name)}</p>
      <p className="mt-2">
        <Button
          size="small"
          onClick={() => form.setValue('type', String(instead.code), { shouldDirty: true, shouldTouch: true })}
        >
          {t.standing.choose(instead.name)}
        </Button>
      </p>
    </Notice>
  )
}
