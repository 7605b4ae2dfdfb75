import { FORM_SETTINGS, type SECTIONS } from '~/features/channels/model/channel-form-values.ts'
import { channelTexts, type FieldText } from '~/features/channels/texts/channel-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { NumberField, TextAreaField, TextField } from '~/ui/form/form-fields.tsx'
import { JsonField } from '~/ui/form/json-field.tsx'
import type { ChannelControl } from './channel-form.tsx'

/** Settings with controls of their own, in other components of the form. */
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
  /** Setting that does not show. */
  readonly without?: string
}

/** The settings of a section that have no control of their own: each has one by its kind. */
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
