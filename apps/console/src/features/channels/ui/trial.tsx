import type { Channel } from '@sluice/contract/channel'
import { testChannel, testChannelDraft } from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { formatLatency } from '../../../lib/format/latency.ts'
import { UNKNOWN } from '../../../lib/format/unknown.ts'
import { type Failure, isWorthTelling } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { draftBody } from '../model/channel-body.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import { editorTexts } from '../texts/editor-texts.ts'
import type { ChannelControl, DraftReader } from './channel-form.tsx'

/** What a trial of the connection has come to. */
export type Trial =
  | { readonly state: 'running' }
  | { readonly state: 'invalid' }
  | { readonly state: 'answered' | 'failed'; readonly text: string; readonly isDraft: boolean }

interface TrialOptions {
  readonly stored: Channel | undefined
  /** False when the form is what is stored: the result then counts for the channel. */
  readonly isDirty: boolean
  readonly readDraft: DraftReader
}

/** Tests the connection as it stands in the form, without saving anything. */
export function useTrial({ stored, isDirty, readDraft }: TrialOptions) {
  const t = useTexts(editorTexts)
  const list = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const [trial, setTrial] = useState<Trial>()

  const told = (failure: Failure) =>
    failure.kind === 'timeout' ? t.trialTimeout : failure.message || list.unknownError
  const run = async (model: string) => {
    const isDraft = stored === undefined || isDirty
    const values = await readDraft()
    if (values === undefined) return setTrial({ state: 'invalid' })
    setTrial({ state: 'running' })
    const reply = isDraft
      ? await call(testChannelDraft, { body: draftBody(stored, values, model) })
      : await call(testChannel, { params: { id: stored.id }, query: model === '' ? {} : { model } })
    if (!isDraft) void cache.invalidateQueries({ queryKey: ['channels'] })
    if (!reply.ok) {
      return setTrial(isWorthTelling(reply) ? { state: 'failed', text: told(reply), isDraft } : undefined)
    }
    const said = reply.message === '' ? '' : t.saidAs(reply.message)
    const text = t.answered(reply.extra.modelName || UNKNOWN, formatLatency(reply.extra.time * 1_000)) + said
    setTrial({ state: 'answered', text, isDraft })
  }
  return { trial, run, forget: () => setTrial(undefined) }
}

/** The result of a trial, in words. */
export function TrialNotice({ trial, isMended }: { trial: Trial | undefined; isMended: boolean }) {
  const t = useTexts(editorTexts)
  const list = useTexts(channelTexts)
  if (trial === undefined) return null
  if (trial.state === 'running') return <Notice tone="info">{t.trialRunning}</Notice>
  if (trial.state === 'invalid' && isMended) return null
  if (trial.state === 'invalid') return <Notice tone="bad">{t.trialInvalid}</Notice>
  return (
    <Notice tone={trial.state === 'answered' ? 'good' : 'bad'}>
      <b className="block font-medium">{trial.state === 'answered' ? list.testSucceeded : list.testFailed}</b>
      {trial.text}
      {trial.isDraft && <span className="block">{t.notSaved}</span>}
    </Notice>
  )
}

interface TrialButtonsProps {
  readonly control: ChannelControl
  readonly running: boolean
  readonly onRun: (model: string) => void
}

/** The model to be asked and the button that asks it. */
export function TrialButtons({ control, running, onRun }: TrialButtonsProps) {
  const t = useTexts(editorTexts)
  const models = useWatch({ control, name: 'models' })
  const [wanted, setWanted] = useState('')
  const model = models.includes(wanted) ? wanted : ''
  return (
    <span className="order-first me-auto flex max-w-full flex-wrap gap-2">
      <Button busy={running} onClick={() => onRun(model)}>
        {t.trial}
      </Button>
      {models.length > 1 && (
        <span className="w-44 max-w-full">
          <Select
            aria-label={t.testModel}
            data-tip={t.testModel}
            value={model}
            options={[{ value: '', label: t.cheapest }, ...models.map((name) => ({ value: name, label: name }))]}
            onChange={(event) => setWanted(event.target.value)}
          />
        </span>
      )}
    </span>
  )
}
