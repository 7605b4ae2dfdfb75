import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useLeaveGuard } from '../../../lib/navigation/use-leave-guard.ts'
import { Button } from '../../../ui/button.tsx'
import { NumberField } from '../../../ui/form/form-fields.tsx'
import { FormSection, FormShell } from '../../../ui/form/form-shell.tsx'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { LeaveDialog } from '../../../ui/form/leave-dialog.tsx'
import { MultiSelectField } from '../../../ui/form/multi-select-field.tsx'
import { SectionNav } from '../../../ui/form/section-nav.tsx'
import { TextAreaField } from '../../../ui/form/text-area-field.tsx'
import { useSchemaForm } from '../../../ui/form/use-schema-form.ts'
import { Notice } from '../../../ui/notice.tsx'
import { groupNamesQuery } from '../api/choices.ts'
import {
  type ChannelFormInput,
  channelFormSchema,
  type ChannelFormValues,
  DEFAULT_GROUP,
} from '../model/channel-form.ts'
import { fieldsOfType } from '../model/type-fields.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import { BasicsFields } from './basics-fields.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { ModelFields } from './model-fields.tsx'
import type { TestResult } from './use-channel-test.ts'

export type ChannelControl = Control<ChannelFormInput, unknown, ChannelFormValues>

/** What became of a save: a text when it failed; else what follows. */
export type Saved =
  | { readonly ok: false; readonly error: string }
  /** The form is left, or, with `stored`, goes on with what is stored now. */
  | { readonly ok: true; readonly stored?: ChannelFormInput; readonly next: () => Promise<TestResult | void> }

interface ChannelFormProps {
  readonly start: ChannelFormInput
  readonly isNew: boolean
  readonly onSave: (values: ChannelFormValues) => Promise<Saved>
  /** Saves, then tests the connection. */
  readonly onSaveAndTest: (values: ChannelFormValues) => Promise<Saved>
  /** Tests the channel as it is stored; absent while there is none. */
  readonly onTest?: () => Promise<TestResult | undefined>
}

const SECTION_IDS = ['basics', 'credentials', 'models', 'routing', 'advanced'] as const

/** The fields of a channel, the same for a new and a stored one. */
export function ChannelForm({ start, isNew, onSave, onSaveAndTest, onTest }: ChannelFormProps) {
  const t = useTexts(channelTexts)
  const navigate = useNavigate()
  const [testing, setTesting] = useState(false)
  const [tested, setTested] = useState<TestResult>()

  const finish = async (saved: Saved): Promise<string> => {
    if (!saved.ok) return saved.error
    if (saved.stored === undefined) guard.release()
    else form.reset(saved.stored)
    const result = await saved.next()
    if (result !== undefined) setTested(result)
    return ''
  }
  const { form, error, busy, onSubmit, submit } = useSchemaForm(channelFormSchema(t, isNew), start, async (values) =>
    finish(await onSave(values)),
  )
  const { control, formState } = form
  const guard = useLeaveGuard(formState.isDirty)

  const test = async () => {
    setTested(undefined)
    if (formState.isDirty || onTest === undefined) return submit(async (values) => finish(await onSaveAndTest(values)))
    setTesting(true)
    setTested(await onTest())
    setTesting(false)
  }
  const saving = isNew ? t.creating : t.updating
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[11rem_minmax(0,1fr)]">
      <div className="sticky top-4 max-xl:hidden">
        <SectionNav label={t.sections} sections={SECTION_IDS.map((id) => ({ id, title: t[id] }))} />
      </div>
      <FormShell
        onSubmit={onSubmit}
        error={error}
        busy={busy}
        submitLabel={busy ? saving : isNew ? t.create : t.update}
        onCancel={() => void navigate({ to: '/channels' })}
        notice={<TestNotice testing={testing} result={tested} />}
        actions={
          <Button busy={testing} disabled={busy} onClick={() => void test()}>
            {formState.isDirty || isNew ? t.saveAndTest : t.testConnection}
          </Button>
        }
      >
        <FormSection id="basics" title={t.basics} text={t.basicsText}>
          <BasicsFields control={control} />
        </FormSection>
        <FormSection id="credentials" title={t.credentials} text={t.credentialsText}>
          <CredentialFields control={control} isNew={isNew} />
        </FormSection>
        <FormSection id="models" title={t.models} text={t.modelsText}>
          <ModelFields form={form} />
        </FormSection>
        <FormSection id="routing" title={t.routing} text={t.routingText}>
          <RoutingFields control={control} />
        </FormSection>
        <FormSection id="advanced" title={t.advanced} text={t.advancedText}>
          <AdvancedFields control={control} />
        </FormSection>
      </FormShell>
      {guard.stopped !== undefined && <LeaveDialog onStay={guard.stopped.stay} onLeave={guard.stopped.leave} />}
    </div>
  )
}

function TestNotice({ testing, result }: { testing: boolean; result: TestResult | undefined }) {
  const t = useTexts(channelTexts)
  if (testing) return <Notice tone="info">{t.testRunning}</Notice>
  if (result === undefined) return null
  return (
    <Notice tone={result.ok ? 'good' : 'bad'}>
      <b className="block font-medium">{result.ok ? t.testSucceeded : t.testFailed}</b>
      {result.text}
    </Notice>
  )
}

function RoutingFields({ control }: { control: ChannelControl }) {
  const t = useTexts(channelTexts)
  const groups = useQuery(groupNamesQuery(useCall())).data ?? [DEFAULT_GROUP]
  return (
    <>
      <MultiSelectField
        control={control}
        name="groups"
        label={t.groups}
        hint={t.groupsHint}
        placeholder={DEFAULT_GROUP}
        options={groups}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <NumberField control={control} name="priority" label={t.priority} hint={t.priorityHint} step={1} />
        <NumberField control={control} name="weight" label={t.weight} hint={t.weightHint} min={0} step={1} />
        <NumberField control={control} name="ratelimit" label={t.ratelimit} hint={t.ratelimitHint} min={0} step={1} />
      </div>
    </>
  )
}

function AdvancedFields({ control }: { control: ChannelControl }) {
  const t = useTexts(channelTexts)
  const [type, arnMap] = useWatch({ control, name: ['type', 'inference_profile_arn_map'] })
  return (
    <>
      <TextAreaField control={control} name="system_prompt" label={t.systemPrompt} hint={t.systemPromptHint} />
      {(fieldsOfType(Number(type)).arnMap === true || arnMap !== '') && (
        <JsonField control={control} name="inference_profile_arn_map" label={t.arnMap} hint={t.arnMapHint} />
      )}
    </>
  )
}
