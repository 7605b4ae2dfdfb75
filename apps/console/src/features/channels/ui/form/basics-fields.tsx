import type { UseFormReturn } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import type { ChannelFormInput, ChannelFormValues } from '~/features/channels/model/channel-form-values.ts'
import { kindOf } from '~/features/channels/model/channel-kind.ts'
import { CHANNEL_TYPE_OPTIONS } from '~/features/channels/model/channel-types.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { providerTexts } from '~/features/channels/texts/provider-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { SelectField, TextField } from '~/ui/form/form-fields.tsx'
import { Notice } from '~/ui/notice.tsx'

export type ChannelFormState = UseFormReturn<ChannelFormInput, unknown, ChannelFormValues>

/** Name and provider, and what became of the provider. */
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

/** Says so when a provider is gone or has a successor, and offers to switch to it. */
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
