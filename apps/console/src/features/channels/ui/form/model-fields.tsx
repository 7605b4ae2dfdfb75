import type { Channel } from '@sluice/contract/channel'
import { channelDefaultPricing, fetchProviderModels } from '@sluice/contract/routes/channels'
import { useQuery } from '@tanstack/react-query'
import { useState, lazy, Suspense } from 'react'
import { useWatch } from 'react-hook-form'
import { type KnownModels, knownModelsQuery } from '~/features/channels/calls.ts'
import { draftBody } from '~/features/channels/model/channel-body.ts'
import { kindOf } from '~/features/channels/model/channel-kind.ts'
import { configRows, mappingRows, pricingOf } from '~/features/channels/model/config-rows.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { isWorthTelling, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { MultiSelectField } from '~/ui/form/multi-select-field.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import type { DraftReader } from './channel-form.tsx'
import { ConfigRowsEditor, MappingRowsEditor } from './config-rows-editor.tsx'
import { JsonViews } from './json-views.tsx'
import type { ChannelFormState } from './setting-fields.tsx'

interface ModelFieldsProps {
  readonly form: ChannelFormState
  readonly stored: Channel | undefined
  readonly readDraft: DraftReader
}

export function ModelFields({ form, stored, readDraft }: ModelFieldsProps) {
  const t = useTexts(channelTexts)
  const { control, setValue } = form
  const known = useQuery(knownModelsQuery(useCall())).data ?? {}
  const [type, models] = useWatch({ control, name: ['type', 'models'] })
  const ofType = known[type] ?? []
  const setModels = (names: string[]) => setValue('models', names, { shouldDirty: true, shouldTouch: true })
  return (
    <>
      <MultiSelectField
        control={control}
        name="models"
        label={t.fields.models.label}
        placeholder={t.modelsPlaceholder}
        hint={ofType.length > 0 ? t.modelsHint(String(ofType.length)) : t.modelsHintOwn}
        options={ofType.length > 0 ? ofType : namesOfAll(known)}
        allowOther
        aside={
          <span className="-me-2.5 flex flex-wrap justify-end">
            {kindOf(Number(type)).modelList === true && (
              <FetchModels stored={stored} readDraft={readDraft} chosen={models} onChoose={setModels} />
            )}
            <Button
              size="small"
              variant="ghost"
              disabled={ofType.length === 0}
              onClick={() => setModels([...new Set([...models, ...ofType])])}
            >
              {t.fillDefaults}
            </Button>
            <Button size="small" variant="ghost" disabled={models.length === 0} onClick={() => setModels([])}>
              {t.clear}
            </Button>
          </span>
        }
      />
      <JsonViews
        control={control}
        name="model_mapping"
        label={t.fields.model_mapping.label}
        hint={t.fields.model_mapping.hint}
        fits={(text) => mappingRows(text) !== undefined}
      >
        {({ text, onChange }) => <MappingRowsEditor text={text} onChange={onChange} models={models} />}
      </JsonViews>
      <JsonViews
        control={control}
        name="model_configs"
        label={t.fields.model_configs.label}
        hint={t.fields.model_configs.hint}
        actions={<FillPricing form={form} type={type} models={models} />}
        fits={(text) => configRows(text) !== undefined}
      >
        {(rows) => <ConfigRowsEditor {...rows} models={models} />}
      </JsonViews>
    </>
  )
}

interface FillPricingProps {
  readonly form: ChannelFormState
  readonly type: string
  readonly models: readonly string[]
}

/** Asks before it replaces existing text. */
function FillPricing({ form, type, models }: FillPricingProps) {
  const t = useTexts(channelTexts)
  const call = useCall()
  const toasts = useToasts()
  const confirm = useConfirm()
  const [busy, setBusy] = useState(false)

  const fill = async () => {
    setBusy(true)
    const reply = await call(channelDefaultPricing, { query: { type } })
    setBusy(false)
    if (!reply.ok) {
      if (isWorthTelling(reply)) toasts.show({ tone: 'bad', title: t.pricingFailed })
      return
    }
    const text = pricingOf(models, reply.data.model_configs)
    if (text === '') toasts.show({ tone: 'info', title: t.noPricing })
    else form.setValue('model_configs', text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  const ask = () => {
    if (form.getValues('model_configs').trim() === '') void fill()
    else confirm({ title: t.replaceTitle, text: t.replaceText, confirm: t.replace, run: fill })
  }
  return (
    <Button size="small" variant="ghost" busy={busy} onClick={ask}>
      {t.fillPricing}
    </Button>
  )
}

function namesOfAll(known: KnownModels): string[] {
  return [...new Set(Object.values(known).flat())].toSorted()
}

const FetchedModels = lazy(async () => ({ default: (await import('./fetched-models.tsx')).FetchedModels }))

interface FetchModelsProps {
  readonly stored: Channel | undefined
  readonly readDraft: DraftReader
  readonly chosen: readonly string[]
  readonly onChoose: (models: string[]) => void
}

/** Uses the address and key in the form. */
function FetchModels({ stored, readDraft, chosen, onChoose }: FetchModelsProps) {
  const t = useTexts(editorTexts)
  const call = useCall()
  const toasts = useToasts()
  const [busy, setBusy] = useState(false)
  const [offered, setOffered] = useState<readonly string[]>()

  const ask = async () => {
    const values = await readDraft()
    if (values === undefined) return
    setBusy(true)
    const reply = await call(fetchProviderModels, { body: draftBody(stored, values) })
    setBusy(false)
    if (reply.ok && reply.data.length > 0) return setOffered(reply.data)
    if (reply.ok) toasts.show({ tone: 'info', title: t.noneOffered })
    else if (isWorthTelling(reply)) {
      const text = reply.kind === 'timeout' ? t.testTimeout : reply.message
      toasts.show({ tone: 'bad', title: t.fetchFailed, ...(text !== '' && { text }) })
    }
  }
  return (
    <>
      <Button size="small" variant="ghost" busy={busy} onClick={() => void ask()}>
        {t.fetchModels}
      </Button>
      {offered !== undefined && (
        <Suspense>
          <FetchedModels offered={offered} chosen={chosen} onChoose={onChoose} onClose={() => setOffered(undefined)} />
        </Suspense>
      )}
    </>
  )
}
