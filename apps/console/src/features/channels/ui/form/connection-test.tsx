import type { Channel } from '@sluice/contract/channel'
import { testChannel, testChannelDraft } from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { draftBody } from '~/features/channels/model/channel-body.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { formatLatency, UNKNOWN } from '~/lib/format/units.ts'
import { type Failure, isWorthTelling, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { Select } from '~/ui/field.tsx'
import { Notice } from '~/ui/notice.tsx'
import type { ChannelControl, DraftReader } from './channel-form.tsx'

export type ConnectionTest =
  | { readonly state: 'running' }
  | { readonly state: 'invalid' }
  | { readonly state: 'answered' | 'failed'; readonly text: string; readonly isDraft: boolean }

interface ConnectionTestOptions {
  readonly stored: Channel | undefined
  /** False when the form matches what is stored: the result then applies to the stored channel. */
  readonly isDirty: boolean
  readonly readDraft: DraftReader
}

/** Tests the connection with the values in the form, without saving anything. */
export function useConnectionTest({ stored, isDirty, readDraft }: ConnectionTestOptions) {
  const t = useTexts(editorTexts)
  const list = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const [test, setTest] = useState<ConnectionTest>()

  const shown = (failure: Failure) =>
    failure.kind === 'timeout' ? t.testTimeout : failure.message || list.unknownError
  const run = async (model: string) => {
    const isDraft = stored === undefined || isDirty
    const values = await readDraft()
    if (values === undefined) return setTest({ state: 'invalid' })
    setTest({ state: 'running' })
    const reply = isDraft
      ? await call(testChannelDraft, { body: draftBody(stored, values, model) })
      : await call(testChannel, { params: { id: stored.id }, query: model === '' ? {} : { model } })
    if (!isDraft) void cache.invalidateQueries({ queryKey: ['channels'] })
    if (!reply.ok) {
      return setTest(isWorthTelling(reply) ? { state: 'failed', text: shown(reply), isDraft } : undefined)
    }
    const said = reply.message === '' ? '' : t.saidAs(reply.message)
    const text = t.answered(reply.extra.modelName || UNKNOWN, formatLatency(reply.extra.time * 1_000)) + said
    setTest({ state: 'answered', text, isDraft })
  }
  return { test, run, forget: () => setTest(undefined) }
}

export function ConnectionTestNotice({ test, isMended }: { test: ConnectionTest | undefined; isMended: boolean }) {
  const t = useTexts(editorTexts)
  const list = useTexts(channelTexts)
  if (test === undefined) return null
  if (test.state === 'running') return <Notice tone="info">{t.testRunning}</Notice>
  if (test.state === 'invalid' && isMended) return null
  if (test.state === 'invalid') return <Notice tone="bad">{t.testInvalid}</Notice>
  return (
    <Notice tone={test.state === 'answered' ? 'good' : 'bad'}>
      <b className="block font-medium">{test.state === 'answered' ? list.testSucceeded : list.testFailed}</b>
      {test.text}
      {test.isDraft && <span className="block">{t.notSaved}</span>}
    </Notice>
  )
}

interface ConnectionTestButtonsProps {
  readonly control: ChannelControl
  readonly running: boolean
  readonly onRun: (model: string) => void
}

export function ConnectionTestButtons({ control, running, onRun }: ConnectionTestButtonsProps) {
  const t = useTexts(editorTexts)
  const models = useWatch({ control, name: 'models' })
  const [wanted, setWanted] = useState('')
  const model = models.includes(wanted) ? wanted : ''
  return (
    <span className="order-first me-auto flex max-w-full flex-wrap gap-2">
      <Button busy={running} onClick={() => onRun(model)}>
        {t.testConnection}
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
