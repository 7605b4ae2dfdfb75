import type { Channel } from '@sluice/contract/channel'
import { Link } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { NEW_CHANNEL } from '~/features/channels/model/channel-form-values.ts'
import { channelKey, KEY_MODE, keyCount, type KeyNeed, mayStay } from '~/features/channels/model/channel-key.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { SelectField } from '~/ui/form/form-fields.tsx'
import type { ChannelControl } from './channel-form.tsx'

interface KeyModeFieldProps {
  readonly control: ChannelControl
  readonly type: number
  readonly need: KeyNeed
  readonly stored: Channel | undefined
}

/** Asks what several keys become, or what becomes of the stored ones; nothing where there is no choice. */
export function KeyModeField({ control, type, need, stored }: KeyModeFieldProps) {
  const t = useTexts(keyTexts)
  const values = { ...NEW_CHANNEL, ...useWatch({ control }) }
  const count = keyCount(type, values.key, values.key_form)
  if (need === 'new') {
    if (count < 2) return null
    return (
      <SelectField
        control={control}
        name="key_mode"
        label={t.several}
        hint={values.key_mode === KEY_MODE.one ? t.inOneHint : undefined}
        options={[
          { value: KEY_MODE.each, label: t.each(formatCount(count)) },
          { value: KEY_MODE.one, label: t.allInOne(formatCount(count)) },
        ]}
      />
    )
  }
  if (!mayStay(need) || channelKey(type, values) === '') return null
  const many = stored?.key_count ?? 1
  return (
    <SelectField
      control={control}
      name="key_mode"
      label={t.given}
      options={[
        { value: KEY_MODE.replace, label: many > 1 ? t.replacesMany(formatCount(many)) : t.replaces },
        { value: KEY_MODE.append, label: t.added },
      ]}
    />
  )
}

/** What an empty field means, and a link to the stored keys. */
export function useStoredKeysHint(stored: Channel | undefined): string {
  const t = useTexts(channelTexts)
  const k = useTexts(keyTexts)
  const many = stored?.key_count ?? 1
  return many > 1 ? k.keepMany(formatCount(many)) : t.keyHintStored
}

/** Links from the form to the list of keys. */
export function KeysLink({ stored }: { stored: Channel | undefined }) {
  const t = useTexts(keyTexts)
  if (stored === undefined || stored.key_count < 2) return null
  return (
    <Link to="/channels" search={{ keys: stored.id }} className="text-accent w-fit text-sm hover:underline">
      {t.showKeys}
    </Link>
  )
}
