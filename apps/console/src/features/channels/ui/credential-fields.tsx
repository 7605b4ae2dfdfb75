import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { SelectField, TextField } from '../../../ui/form/form-fields.tsx'
import { SecretField } from '../../../ui/form/secret-field.tsx'
import { defaultBaseUrlQuery } from '../api/choices.ts'
import {
  AZURE_API_VERSION,
  type ConfigField,
  fieldsOfType,
  type OtherMeaning,
  SPARK_VERSIONS,
  TYPE,
} from '../model/type-fields.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import type { ChannelControl } from './channel-form.tsx'

interface CredentialFieldsProps {
  readonly control: ChannelControl
  /** A new channel must have a key, a stored one keeps its own. */
  readonly isNew: boolean
}

/** Address and credentials: which of them show follows from the table of the types. */
export function CredentialFields({ control, isNew }: CredentialFieldsProps) {
  const type = Number(useWatch({ control, name: 'type' }))
  const { baseUrl, joinedKey, other, config } = fieldsOfType(type)
  return (
    <>
      {baseUrl !== 'none' && <BaseUrlField control={control} type={type} optional={baseUrl === 'optional'} />}
      {config.map((name) => (
        <ConfigInput key={name} control={control} name={name} type={type} isNew={isNew} />
      ))}
      {joinedKey === undefined ? (
        <KeyField control={control} type={type} isNew={isNew} />
      ) : (
        joinedKey.map((name) => <ConfigInput key={name} control={control} name={name} type={type} isNew={isNew} />)
      )}
      {other !== undefined && <OtherField control={control} meaning={other} />}
    </>
  )
}

function BaseUrlField({ control, type, optional }: { control: ChannelControl; type: number; optional: boolean }) {
  const t = useTexts(channelTexts)
  const standard = useQuery(defaultBaseUrlQuery(useCall(), type)).data ?? ''
  return (
    <TextField
      control={control}
      name="base_url"
      label={t.baseUrl}
      hint={optional && standard !== '' ? t.baseUrlHint : undefined}
      placeholder={standard || 'https://'}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
    />
  )
}

function KeyField({ control, type, isNew }: CredentialFieldsProps & { type: number }) {
  const t = useTexts(channelTexts)
  const authType = useWatch({ control, name: 'auth_type' })
  const { keyFormat } = fieldsOfType(type)
  const isJson = type === TYPE.coze && authType === 'oauth_jwt'
  const hints = [
    keyFormat === undefined ? '' : t.keyFormat(keyFormat),
    isJson ? t.cozeJsonHint : isNew ? t.keyHintNew : '',
    isNew ? '' : t.keyHintStored,
  ]
  return <SecretField control={control} name="key" label={t.key} hint={hints.filter(Boolean).join(' ')} />
}

interface ConfigInputProps extends CredentialFieldsProps {
  readonly name: ConfigField
  readonly type: number
}

/** The input of one field of the config. */
function ConfigInput({ control, name, type, isNew }: ConfigInputProps) {
  const t = useTexts(channelTexts)
  const stored = isNew ? undefined : t.partsHintStored
  const plain = { control, name, autoComplete: 'off', spellCheck: false } as const
  switch (name) {
    case 'region':
      return <TextField {...plain} label={t.region} placeholder={type === 33 ? 'us-east-1' : 'us-central1'} />
    case 'ak':
      return <SecretField control={control} name={name} label={t.accessKey} hint={stored} />
    case 'sk':
      return <SecretField control={control} name={name} label={t.secretKey} hint={stored} />
    case 'vertex_ai_project_id':
      return <TextField {...plain} label={t.projectId} />
    case 'vertex_ai_adc':
      return <SecretField control={control} name={name} label={t.adc} hint={stored} />
    case 'user_id':
      return <TextField {...plain} label={type === TYPE.cloudflare ? t.accountId : t.userId} />
    case 'auth_type':
      return (
        <SelectField
          control={control}
          name={name}
          label={t.authType}
          options={[
            { value: 'personal_access_token', label: t.authTypes.personalAccessToken },
            { value: 'oauth_jwt', label: t.authTypes.oauthJwt },
          ]}
        />
      )
    case 'api_format':
      return (
        <SelectField
          control={control}
          name={name}
          label={t.apiFormat}
          options={[
            { value: 'chat_completion', label: t.apiFormats.chatCompletion },
            { value: 'response', label: t.apiFormats.response },
          ]}
        />
      )
  }
}

/** The column `other`, which means something else for each type that has it. */
function OtherField({ control, meaning }: { control: ChannelControl; meaning: OtherMeaning }) {
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
  const label = { apiVersion: t.apiVersion, plugin: t.plugin, library: t.library }[meaning]
  const placeholder = meaning === 'apiVersion' ? AZURE_API_VERSION : undefined
  return <TextField control={control} name="other" label={label} placeholder={placeholder} autoComplete="off" />
}
