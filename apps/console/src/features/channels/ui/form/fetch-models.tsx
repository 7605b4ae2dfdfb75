import type { Channel } from '@sluice/contract/channel'
import { fetchProviderModels } from '@sluice/contract/routes/channels'
import { lazy, Suspense, useState } from 'react'
import { draftBody } from '~/features/channels/model/channel-body.ts'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { isWorthTelling } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import type { DraftReader } from './channel-form.tsx'

const FetchedModels = lazy(async () => ({ default: (await import('./fetched-models.tsx')).FetchedModels }))

interface FetchModelsProps {
  readonly stored: Channel | undefined
  readonly readDraft: DraftReader
  readonly chosen: readonly string[]
  readonly onChoose: (models: string[]) => void
}

/** Fetches the provider's list of models, with the address and key in the form, and lets the user choose some. */
export function FetchModels({ stored, readDraft, chosen, onChoose }: FetchModelsProps) {
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
