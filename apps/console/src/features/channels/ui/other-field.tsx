import { useWatch } from 'react-hook-form'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { SelectField, TextField } from '../../../ui/form/form-fields.tsx'
import { AZURE_API_VERSION, type OtherMeaning, SPARK_VERSIONS } from '../model/provider-table.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import type { ChannelControl } from './channel-form.tsx'

/** The column `other`, which means something else for each type that has it. */
export function OtherField({ control, meaning }: { control: ChannelControl; meaning: OtherMeaning }) {
  const t = useTexts(channelTexts)
  const stored = useWatch({ control, name: 'other' })
  if (meaning === 'sparkVersion') {
    const versions = [...new Set(['', ...SPARK_VERSIONS, stored])]
    return (
      <SelectField
        control={control}
        name="other"
        label={t.sparkVersion}
        options={versions.map((value) => ({ value, label: value === '' ? t.providerDefault : value }))}
      />
    )
  }
  const { label, placeholder, hint } = {
    apiVersion: { label: t.apiVersion, placeholder: AZURE_API_VERSION, hint: t.apiVersionHint },
    geminiVersion: { label: t.apiVersion, placeholder: 'v1beta', hint: undefined },
    plugin: { label: t.plugin, placeholder: undefined, hint: undefined },
    library: { label: t.library, placeholder: undefined, hint: undefined },
  }[meaning]
  return (
    <TextField
      control={control}
      name="other"
      label={label}
      placeholder={placeholder}
      hint={hint}
      autoComplete="off"
      spellCheck={false}
    />
  )
}
