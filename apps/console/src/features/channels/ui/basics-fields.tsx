import { useTexts } from '../../../lib/i18n/i18n.ts'
import { SelectField, TextField } from '../../../ui/form/form-fields.tsx'
import { CHANNEL_TYPE_OPTIONS } from '../model/channel-types.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import type { ChannelControl } from './channel-form.tsx'

export function BasicsFields({ control }: { control: ChannelControl }) {
  const t = useTexts(channelTexts)
  return (
    <>
      <TextField control={control} name="name" label={t.name} autoComplete="off" maxLength={100} />
      <SelectField control={control} name="type" label={t.type} options={CHANNEL_TYPE_OPTIONS} />
    </>
  )
}
