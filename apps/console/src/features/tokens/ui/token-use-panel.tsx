import type { Token } from '@sluice/contract/token'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { baseUrlOf } from '../../../lib/status/base-url.ts'
import { useSystemStatus } from '../../../lib/status/system-status.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { availableModelsQuery } from '../api/available-models.ts'
import { tokenQuery } from '../api/token-by-id.ts'
import { snippet, SNIPPET_LANGUAGES, type SnippetLanguage } from '../model/snippets.ts'
import { tokenTexts } from '../texts/token-texts.ts'
import { useTokenLabel } from './use-token-actions.ts'

/** Shown while nobody can be asked which model there is. */
const EXAMPLE_MODEL = 'gpt-5-mini'

/** Key, base URL and a first request in three languages; opens after a token was created and from the list. */
export function TokenUsePanel({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useTexts(tokenTexts)
  const label = useTokenLabel()
  const query = useQuery(tokenQuery(useCall(), id))
  const name = label(query.data ?? { id, name: '' })
  return (
    <Panel title={t.usePanelTitle(name)} onClose={onClose}>
      {query.isError && <Notice tone="bad">{t.loadFailed}</Notice>}
      {query.isPending && <Skeleton className="h-64 w-full" />}
      {query.data !== undefined && <Instructions token={query.data} />}
    </Panel>
  )
}

function Instructions({ token }: { token: Token }) {
  const t = useTexts(tokenTexts)
  const { server_address } = useSystemStatus()
  const models = useQuery(availableModelsQuery(useCall())).data
  const model = token.models?.split(',')[0] || models?.[0] || EXAMPLE_MODEL
  const baseUrl = baseUrlOf(server_address, window.location.origin)
  return (
    <div className="flex flex-col gap-5">
      <p className="text-muted text-sm">{t.useIntro}</p>
      <Value label={t.baseUrl} text={baseUrl} copyLabel={t.copyBaseUrl} />
      <Value label={t.key} text={token.key} copyLabel={t.copyKey} />
      <Notice tone="info">{t.keepSecret}</Notice>
      <Snippets parts={{ baseUrl, key: token.key, model }} />
    </div>
  )
}

function Value({ label, text, copyLabel }: { label: string; text: string; copyLabel: string }) {
  return (
    <div>
      <p className="mb-1 text-sm font-medium">{label}</p>
      <div className="border-line bg-subtle flex items-center gap-2 rounded-md border py-1 pr-1 pl-3">
        <code className="min-w-0 grow font-mono text-sm break-all">{text}</code>
        <CopyButton text={text} label={copyLabel} />
      </div>
    </div>
  )
}

function Snippets({ parts }: { parts: Parameters<typeof snippet>[1] }) {
  const t = useTexts(tokenTexts)
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const text = snippet(language, parts)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const count = SNIPPET_LANGUAGES.length
    const next = SNIPPET_LANGUAGES[(SNIPPET_LANGUAGES.indexOf(language) + step + count) % count] ?? language
    setLanguage(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-language="${next}"]`)?.focus()
  }
  return (
    <section aria-label={t.snippets}>
      <div className="mb-1 flex items-center justify-between gap-2">
        <div role="tablist" aria-label={t.snippets} tabIndex={-1} onKeyDown={onKeyDown} className="flex gap-1">
          {SNIPPET_LANGUAGES.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`snippet-${name}`}
              data-language={name}
              aria-selected={name === language}
              aria-controls="snippet"
              tabIndex={name === language ? 0 : -1}
              onClick={() => setLanguage(name)}
              className="text-muted hover:bg-hover aria-selected:bg-accent-soft aria-selected:text-accent h-7 rounded-md px-2.5 text-sm font-medium"
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={text} label={t.copySnippet} wide />
      </div>
      <pre
        id="snippet"
        role="tabpanel"
        aria-labelledby={`snippet-${language}`}
        tabIndex={0}
        className="border-line bg-subtle overflow-x-auto rounded-md border p-3 font-mono text-xs leading-5"
      >
        {text}
      </pre>
    </section>
  )
}
