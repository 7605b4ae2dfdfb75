import type { ChannelKind } from '@sluice/contract/channel-kinds'
import { useWatch } from 'react-hook-form'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { SelectField, TextField } from '~/ui/form/form-fields.tsx'
import type { ChannelControl } from './channel-form.tsx'

interface OtherFieldProps {
  readonly control: ChannelControl
  readonly other: NonNullable<ChannelKind['other']>
}

/** The column `other`, which means something else for each type that has it. */
export function OtherField({ control, other }: OtherFieldProps) {
  const { meaning, fallback, choices = [] } = other
  const t = useTexts(channelTexts)
  const stored = useWatch({ control, name: 'other' })
  if (meaning === 'sparkVersion') {
    const versions = [...new Set(['', ...choices, stored])]
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
    apiVersion: { label: t.apiVersion, placeholder: fallback, hint: t.apiVersionHint },
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
