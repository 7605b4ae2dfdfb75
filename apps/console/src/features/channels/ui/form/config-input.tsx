import { CONFIG_CHOICES, type ConfigField } from '@sluice/contract/channel-kinds'
import { useWatch } from 'react-hook-form'
import { TYPE } from '~/features/channels/model/channel-kind.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { providerTexts } from '~/features/channels/texts/provider-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { SelectField, TextField } from '~/ui/form/form-fields.tsx'
import type { ChannelControl } from './channel-form.tsx'

interface ConfigInputProps {
  readonly control: ChannelControl
  readonly name: ConfigField
  readonly type: number
}

/** Matters only where callers may bring keys. */
function CallerRatio({ control }: Pick<ConfigInputProps, 'control'>) {
  const t = useTexts(channelTexts)
  if (useWatch({ control, name: 'credentials' }) === CONFIG_CHOICES.credentials[0]) return null
  return (
    <TextField
      control={control}
      name="caller_ratio"
      label={t.callerRatio}
      hint={t.callerRatioHint}
      placeholder="0"
      inputMode="decimal"
      autoComplete="off"
    />
  )
}

/** The input for one field of the config that is not part of a key. */
export function ConfigInput({ control, name, type }: ConfigInputProps) {
  const t = useTexts(channelTexts)
  const p = useTexts(providerTexts)
  switch (name) {
    case 'auth_type': {
      const { personalAccessToken, oauthJwt, plainKey, signedToken } = t.authTypes
      const labels = type === TYPE.zhipu ? [plainKey, signedToken] : [personalAccessToken, oauthJwt]
      const options = CONFIG_CHOICES.auth_type.map((value, index) => ({ value, label: labels[index] ?? value }))
      return <SelectField control={control} name={name} label={t.authType} options={options} />
    }
    case 'api_format': {
      const { chatCompletion, response } = t.apiFormats
      const labels = [chatCompletion, response]
      const options = CONFIG_CHOICES.api_format.map((value, index) => ({ value, label: labels[index] ?? value }))
      return <SelectField control={control} name={name} label={t.apiFormat} options={options} />
    }
    case 'credentials': {
      const { own, caller, callerOrOwn } = t.keyOwners
      const labels = [own, caller, callerOrOwn]
      const options = CONFIG_CHOICES.credentials.map((value, index) => ({ value, label: labels[index] ?? value }))
      return <SelectField control={control} name={name} label={t.keyOwner} hint={t.keyOwnerHint} options={options} />
    }
    case 'caller_ratio':
      return <CallerRatio control={control} />
    case 'user_id': {
      const [label, hint] =
        type === TYPE.cloudflare
          ? [p.fields.account_id, p.accountIdHint]
          : [p.fields.user_id, type === TYPE.coze ? p.userIdHint : undefined]
      return <TextField control={control} name={name} label={label} hint={hint} autoComplete="off" spellCheck={false} />
    }
    default:
      return <TextField control={control} name={name} label={p.fields[name]} autoComplete="off" spellCheck={false} />
  }
}
