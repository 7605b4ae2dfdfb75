import {
  CONFIG_CHOICES,
  type ConfigField,
  type KeyForm,
  type PartField,
  type ChannelKind,
} from '@sluice/contract/channel-kinds'
import { useWatch } from 'react-hook-form'
import { TYPE } from '~/features/channels/model/channel-kind.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { providerTexts } from '~/features/channels/texts/provider-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { SelectField, TextField, SecretField } from '~/ui/form/form-fields.tsx'
import type { ChannelControl } from './channel-form.tsx'

interface ConfigInputProps {
  readonly control: ChannelControl
  readonly name: ConfigField
  readonly type: number
}

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

type PartName = PartField | Exclude<ConfigField, 'auth_type' | 'api_format' | 'credentials' | 'caller_ratio'>

interface PartInputProps {
  readonly control: ChannelControl
  readonly name: PartField | ConfigField
  readonly type: number
  readonly keyForm: KeyForm['id']
  /** A stored channel keeps its credentials while their fields are empty. */
  readonly isNew: boolean
}

/** Config fields that everyone may read; the others are credentials. */
const PUBLIC: readonly string[] = ['region', 'vertex_ai_project_id', 'tenant_id', 'client_id', 'app_id', 'user_id']

export function PartInput({ control, name, type, keyForm, isNew }: PartInputProps) {
  const t = useTexts(channelTexts)
  const p = useTexts(providerTexts)
  if (name === 'auth_type' || name === 'api_format' || name === 'credentials' || name === 'caller_ratio') return null
  const label = labelOf(name, keyForm, p.fields)
  if (PUBLIC.includes(name)) {
    const placeholder =
      name !== 'region' ? undefined : type === TYPE.aws ? 'us-east-1' : type === TYPE.vertexAi ? 'us-central1' : ''
    return (
      <TextField
        control={control}
        name={name}
        label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
      />
    )
  }
  const hint = name === 'session_token' ? p.sessionTokenHint : isNew ? undefined : t.partsHintStored
  return <SecretField control={control} name={name} label={label} hint={hint} />
}

/** Tencent names the same two fields differently. */
function labelOf(
  name: PartName,
  keyForm: KeyForm['id'],
  fields: Readonly<Record<PartName | 'secret_id' | 'secret_key', string>>,
) {
  if (keyForm === 'tencentSignature' && name === 'api_key') return fields.secret_id
  if (keyForm === 'tencentSignature' && name === 'api_secret') return fields.secret_key
  if (keyForm === 'baiduPair' && name === 'api_secret') return fields.secret_key
  return fields[name]
}

interface OtherFieldProps {
  readonly control: ChannelControl
  readonly other: NonNullable<ChannelKind['other']>
}

/** `other` means something else for each type that has it. */
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
