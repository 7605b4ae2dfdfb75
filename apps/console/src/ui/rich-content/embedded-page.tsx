import { useTexts } from '~/lib/i18n/i18n.ts'
import { markdownTexts } from '../markdown/texts/markdown-texts.ts'

/**
 * The framed page can run its own scripts, as a separate origin: it can access neither this console nor its own cookies, cannot
 * navigate this window, and does not learn where it is shown.
 */
export function EmbeddedPage({ address }: { address: string }) {
  const t = useTexts(markdownTexts)
  const { host } = new URL(address)
  return (
    <div className="flex min-h-96 grow flex-col gap-2">
      <iframe
        src={address}
        title={t.embedded(host)}
        sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        className="border-line w-full grow rounded-lg border bg-white"
      />
      <p className="text-muted text-xs">
        <a href={address} target="_blank" rel="noopener noreferrer" className="underline">
          {t.openEmbedded(host)}
        </a>
      </p>
    </div>
  )
}
