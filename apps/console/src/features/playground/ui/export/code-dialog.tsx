import { useMemo, useState } from 'react'
import { pathTo } from '~/features/playground/model/branches.ts'
import { contentOf, type ChatMessage, type MessageContent } from '~/features/playground/model/message.ts'
import { requestBody } from '~/features/playground/model/request-body.ts'
import { exportTexts } from '~/features/playground/texts/export-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { baseUrlOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { useStore } from '~/lib/store.ts'
import { Dialog } from '~/ui/dialog.tsx'
import { Checkbox, Field, Select } from '~/ui/field.tsx'
import { maskedKey } from '~/ui/masked-secret.tsx'
import { SnippetTabs } from '~/ui/snippets/snippet-tabs.tsx'
import { useDraft, useNextAttachments } from '../composer/use-attachments.ts'
import { usePlaygroundState, useSetup } from '../use-playground.ts'

/** Shown while no token or no model is chosen. */
const EXAMPLE = { key: 'sk-your-token', model: 'your-model' } as const

/** The request as a program. The key is masked until it is revealed, but copied in full. */
export function CodeDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(exportTexts)
  const { conversation } = usePlaygroundState()
  const setup = useSetup()
  const text = useStore(useDraft().text)
  const { images } = useNextAttachments()
  const { server_address } = useSystemStatus()
  const [column, setColumn] = useState(0)
  const [keyShown, setKeyShown] = useState(false)
  const body = useMemo(() => {
    const path = pathTo(conversation.messages, conversation.leaves[column] ?? null)
    const sent = messagesToSend(path, contentOf(text.trim(), images))
    const { model, messages, ...rest } = requestBody(sent, setup.models[column] || EXAMPLE.model, setup)
    return { model, messages, ...rest }
  }, [conversation, column, text, images, setup])
  const shownBody = useMemo(() => ({ ...body, messages: withShortImages(body.messages) }), [body])
  const baseUrl = baseUrlOf(server_address)
  const key = setup.key || EXAMPLE.key
  return (
    <Dialog title={t.codeTitle} side="wide" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-muted text-sm">
          {t.codeIntro} {t.copyHint}
        </p>
        {conversation.leaves.length > 1 && (
          <Field label={t.model}>
            {(control) => (
              <Select
                {...control}
                value={String(column)}
                options={conversation.leaves.map((_, index) => ({
                  value: String(index),
                  label: setup.models[index] || EXAMPLE.model,
                }))}
                onChange={({ target }) => setColumn(Number(target.value))}
              />
            )}
          </Field>
        )}
        {setup.key !== '' && (
          <Checkbox label={t.showKey} checked={keyShown} onChange={({ target }) => setKeyShown(target.checked)} />
        )}
        <SnippetTabs
          label={t.request}
          parts={{ baseUrl, key: keyShown || setup.key === '' ? key : maskedKey(key), body: shownBody }}
          copied={{ baseUrl, key, body }}
        />
      </div>
    </Dialog>
  )
}

const HELLO = 'Say hello.'

/** Messages that would be sent now: with the question being written, otherwise the last one asked, otherwise an example. */
export function messagesToSend(path: readonly ChatMessage[], draft: MessageContent): readonly ChatMessage[] {
  if (draft !== '') return [...path, question(draft)]
  const sent = path.slice(0, path.findLastIndex(({ role }) => role === 'user') + 1)
  return sent.length === 0 ? [question(HELLO)] : sent
}

function question(content: MessageContent): ChatMessage {
  return { id: '', parent: null, role: 'user', content, reasoning_content: null, timestamp: 0 }
}

/** How many characters of a picture's address are shown. */
const SHOWN_ADDRESS = 40

export function withShortImages(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith('data:image/') && value.length > SHOWN_ADDRESS ? `${value.slice(0, SHOWN_ADDRESS)}…` : value
  }
  if (Array.isArray(value)) return value.map(withShortImages)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withShortImages(each)]))
}
