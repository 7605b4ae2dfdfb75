import type { ConfigField, KeyForm, PartField } from '@sluice/contract/channel-kinds'
import { TYPE } from '~/features/channels/model/channel-kind.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { providerTexts } from '~/features/channels/texts/provider-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { TextField, SecretField } from '~/ui/form/form-fields.tsx'
import type { ChannelControl } from './channel-form.tsx'

type PartName = PartField | Exclude<ConfigField, 'auth_type' | 'api_format' | 'credentials' | 'caller_ratio'>

interface PartInputProps {
  readonly control: ChannelControl
  readonly name: PartField | ConfigField
  readonly type: number
  readonly keyForm: KeyForm['id']
  /** A stored channel keeps its credentials while their fields are empty. */
  readonly isNew: boolean
}

/** Names that everyone may read; the others are credentials. */
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

/** Tencent has other names for the same two fields. */
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
