import type { Channel } from '@sluice/contract/channel'
import { SECTIONS } from '@sluice/contract/fields/kinds'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import * as v from 'valibot'
import { groupNamesQuery } from '~/features/channels/calls.ts'
import {
  CHANNEL_FIELDS,
  type ChannelFormInput,
  channelFormSchema,
  type ChannelFormValues,
  DEFAULT_GROUP,
} from '~/features/channels/model/channel-form-values.ts'
import { kindOf } from '~/features/channels/model/channel-kind.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { useCommand } from '~/lib/commands.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useLeaveGuard } from '~/lib/navigation/use-leave-guard.ts'
import { FormSection, FormShell, LeaveDialog } from '~/ui/form/form-shell.tsx'
import { MultiSelectField } from '~/ui/form/multi-select-field.tsx'
import { SectionNav } from '~/ui/form/section-nav.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { Notice } from '~/ui/notice.tsx'
import { uiTexts } from '~/ui/texts/ui-texts.ts'
import { ChangeSummary } from './change-summary.tsx'
import { ConnectionTestButtons, ConnectionTestNotice, useConnectionTest } from './connection-test.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { useKeyRule } from './key-mode-field.tsx'
import { ModelFields } from './model-fields.tsx'
import { BasicsFields, type ChannelFormState, SettingFields } from './setting-fields.tsx'

export type ChannelControl = Control<ChannelFormInput, unknown, ChannelFormValues>

/** Reads the form for calls that save nothing, which need no name. Marks invalid fields, and then returns `undefined`. */
export type DraftReader = () => Promise<ChannelFormValues | undefined>

interface ChannelFormProps {
  readonly start: ChannelFormInput
  /** Absent for a new channel. */
  readonly stored?: Channel
  /** Returns what went wrong, or an empty text. */
  readonly onSave: (values: ChannelFormValues) => Promise<string>
  readonly onSaved: () => void
}

const NO_NAME = '-'

export function ChannelForm({ start, stored, onSave, onSaved }: ChannelFormProps) {
  const t = useTexts(channelTexts)
  const e = useTexts(editorTexts)
  const navigate = useNavigate()
  const ui = useTexts(uiTexts)
  const isNew = stored === undefined
  const owner = stored?.managed_by ?? ''
  const schema = channelFormSchema(t, useKeyRule(stored))

  const { form, error, busy, onSubmit } = useSchemaForm(schema, start, async (values) => {
    const problem = await onSave(values)
    if (problem === '') {
      guard.release()
      onSaved()
    }
    return problem
  })
  const { control, formState } = form
  const guard = useLeaveGuard(formState.isDirty)

  const readDraft = useDraftReader(form, schema)
  const { test, run } = useConnectionTest({ stored, isDirty: formState.isDirty, readDraft })
  useCommand({ id: 'channels.trial', label: e.testConnection, group: t.group, run: () => void run('') })

  const saving = isNew ? t.creating : t.updating
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[11rem_minmax(0,1fr)]">
      <div className="sticky top-4 max-xl:hidden">
        <SectionNav label={t.sections} sections={SECTIONS.map((id) => ({ id, title: t[id] }))} />
      </div>
      <FormShell
        onSubmit={onSubmit}
        error={error}
        busy={busy}
        submitLabel={busy ? saving : isNew ? t.create : t.update}
        onCancel={() => void navigate({ to: '/channels' })}
        readOnly={owner !== ''}
        notice={
          <>
            {owner !== '' && <Notice tone="info">{ui.managedWhy(owner)}</Notice>}
            <ConnectionTestNotice test={test} isMended={Object.keys(formState.errors).length === 0} />
            {!isNew && <ChangeSummary control={control} start={start} stored={stored} />}
          </>
        }
        actions={
          <ConnectionTestButtons
            control={control}
            running={test?.state === 'running'}
            onRun={(model) => void run(model)}
          />
        }
      >
        <Sections form={form} stored={stored} readDraft={readDraft} />
      </FormShell>
      {guard.stopped !== undefined && <LeaveDialog onStay={guard.stopped.stay} onLeave={guard.stopped.leave} />}
    </div>
  )
}

interface SectionsProps {
  readonly form: ChannelFormState
  readonly stored: Channel | undefined
  readonly readDraft: DraftReader
}

function Sections({ form, stored, readDraft }: SectionsProps) {
  const t = useTexts(channelTexts)
  const { control } = form
  return (
    <>
      <FormSection id="basics" title={t.basics} text={t.basicsText}>
        <BasicsFields form={form} />
        <SettingFields control={control} section="basics" />
      </FormSection>
      <FormSection id="credentials" title={t.credentials} text={t.credentialsText}>
        <CredentialFields form={form} stored={stored} />
        <SettingFields control={control} section="credentials" />
      </FormSection>
      <FormSection id="models" title={t.models} text={t.modelsText}>
        <ModelFields form={form} stored={stored} readDraft={readDraft} />
        <SettingFields control={control} section="models" />
      </FormSection>
      <FormSection id="routing" title={t.routing} text={t.routingText}>
        <RoutingFields control={control} />
      </FormSection>
      <FormSection id="advanced" title={t.advanced} text={t.advancedText}>
        <AdvancedFields control={control} />
      </FormSection>
    </>
  )
}

type Schema = ReturnType<typeof channelFormSchema>

function useDraftReader(form: ChannelFormState, schema: Schema): DraftReader {
  const [refused, setRefused] = useState(false)
  useEffect(() => {
    if (!refused) return undefined
    const look = () => {
      const bad = CHANNEL_FIELDS.filter((name) => form.getFieldState(name).invalid)
      if (bad.length > 0) void form.trigger(bad)
    }
    return form.subscribe({ formState: { values: true }, callback: look })
  }, [form, refused])
  return async () => {
    const names = CHANNEL_FIELDS.filter((name) => name !== 'name')
    const isRight = await form.trigger(names, { shouldFocus: true })
    if (!isRight) setRefused(true)
    const values = form.getValues()
    const checked = v.safeParse(schema, { ...values, name: values.name.trim() || NO_NAME })
    return isRight && checked.success ? checked.output : undefined
  }
}

function RoutingFields({ control }: { control: ChannelControl }) {
  const t = useTexts(channelTexts)
  const groups = useQuery(groupNamesQuery(useCall())).data ?? [DEFAULT_GROUP]
  return (
    <>
      <MultiSelectField
        control={control}
        name="groups"
        label={t.fields.groups.label}
        hint={t.fields.groups.hint}
        placeholder={DEFAULT_GROUP}
        options={groups}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <SettingFields control={control} section="routing" />
      </div>
    </>
  )
}

function AdvancedFields({ control }: { control: ChannelControl }) {
  const [type, arnMap] = useWatch({ control, name: ['type', 'inference_profile_arn_map'] })
  const hasArnMap = kindOf(Number(type)).arnMap === true || arnMap !== ''
  return <SettingFields control={control} section="advanced" without={hasArnMap ? '' : 'inference_profile_arn_map'} />
}
