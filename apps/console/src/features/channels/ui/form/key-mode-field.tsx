import type { Channel } from '@sluice/contract/channel'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { defaultBaseUrlQuery } from '~/features/channels/calls.ts'
import { NEW_CHANNEL, type KeyRule } from '~/features/channels/model/channel-form-values.ts'
import {
  channelKey,
  KEY_MODE,
  keyCount,
  type KeyNeed,
  mayStay,
  keyNeed,
  originOf,
} from '~/features/channels/model/channel-key.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/session.ts'
import { SelectField } from '~/ui/form/form-fields.tsx'
import type { ChannelControl } from './channel-form.tsx'

interface KeyModeFieldProps {
  readonly control: ChannelControl
  readonly type: number
  readonly need: KeyNeed
  readonly stored: Channel | undefined
}

/** Asks what to make of several keys, or what happens to the stored ones; shows nothing where there is no choice. */
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

export function useStoredKeysHint(stored: Channel | undefined): string {
  const t = useTexts(channelTexts)
  const k = useTexts(keyTexts)
  const many = stored?.key_count ?? 1
  return many > 1 ? k.keepMany(formatCount(many)) : t.keyHintStored
}

export function KeysLink({ stored }: { stored: Channel | undefined }) {
  const t = useTexts(keyTexts)
  if (stored === undefined || stored.key_count < 2) return null
  return (
    <Link to="/channels" search={{ keys: stored.id }} className="text-accent w-fit text-sm hover:underline">
      {t.showKeys}
    </Link>
  )
}

type Stored = Pick<Channel, 'type' | 'base_url'>

export function useKeyRule(stored: Stored | undefined): KeyRule {
  const call = useCall()
  const cache = useQueryClient()
  const mayMove = useCan('channels.moveKeys')
  return (type, baseUrl) => {
    const standard = (code: number) => cache.getQueryData<string>(defaultBaseUrlQuery(call, code).queryKey)
    return needOf(stored, { type, baseUrl }, standard, mayMove)
  }
}

export function useKeyNeed(stored: Stored | undefined, type: number, baseUrl: string): KeyNeed {
  const call = useCall()
  const mayMove = useCan('channels.moveKeys')
  const here = useQuery(defaultBaseUrlQuery(call, type)).data
  const there = useQuery(defaultBaseUrlQuery(call, stored?.type ?? type)).data
  return needOf(stored, { type, baseUrl }, (code) => (code === type ? here : there), mayMove)
}

function needOf(
  stored: Stored | undefined,
  form: { readonly type: number; readonly baseUrl: string },
  standard: (type: number) => string | undefined,
  mayMove: boolean,
): KeyNeed {
  if (stored === undefined) return keyNeed(undefined, form.type, '', mayMove)
  const [from, to] = [standard(stored.type), standard(form.type)]
  // While an address is unknown, the gateway's reply to the save decides.
  const isKnown = from !== undefined && to !== undefined
  const origin = isKnown ? originOf(stored.base_url, from) : ''
  return keyNeed({ type: stored.type, origin }, form.type, isKnown ? originOf(form.baseUrl, to) : '', mayMove)
}
