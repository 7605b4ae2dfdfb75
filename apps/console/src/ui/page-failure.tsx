import { useTexts } from '../lib/i18n/i18n.ts'
import { Button } from './button.tsx'
import { Page } from './page.tsx'
import { uiTexts } from './texts/ui-texts.ts'

/** Replaces a page that threw while rendering or whose code could not be loaded. */
export function PageFailure() {
  const t = useTexts(uiTexts)
  return (
    <Page title={t.failedTitle} width="narrow">
      <p className="text-muted">{t.failedText}</p>
      <div>
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t.reload}
        </Button>
      </div>
    </Page>
  )
}
