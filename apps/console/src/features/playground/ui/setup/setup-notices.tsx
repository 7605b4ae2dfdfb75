import type { Token } from '@sluice/contract/token'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { setupTexts } from '~/features/playground/texts/setup-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, buttonClass } from '~/ui/button.tsx'
import { Notice } from '~/ui/notice.tsx'
import { useDraft } from '../composer/use-attachments.ts'
import { useSetupControls, useLink } from './setup-controls.ts'
import { tokenName } from './use-token-choice.ts'

export function SetupNotices() {
  const { tokens, models } = useSetupControls()
  useLinkedPrompt()
  const problem = setupProblem({
    tokens: tokens.state,
    hasToken: tokens.token !== undefined,
    models: models.state,
    offered: models.offered.length,
    matching: models.options.length,
    channel: models.channel?.label,
    tokenReplaced: tokens.replaced,
    linkModelMissing: models.linkMissing,
  })
  if (problem === undefined) return null
  return (
    <div className="mx-auto w-full max-w-3xl px-2 pb-2 md:px-6">
      <ProblemNotice problem={problem} />
    </div>
  )
}

function ProblemNotice({ problem }: { problem: SetupProblem }) {
  const t = useTexts(setupTexts)
  const { tokens, models } = useSetupControls()
  const link = useLink()
  switch (problem.kind) {
    case 'tokens-failed':
      return (
        <Problem title={t.tokensFailed}>
          <Button size="small" onClick={tokens.retry}>
            {t.retry}
          </Button>
        </Problem>
      )
    case 'no-tokens':
      return (
        <Problem title={t.noTokensTitle} text={t.noTokensText}>
          <Link to="/tokens" className={buttonClass('secondary', 'small')}>
            {t.toTokens}
          </Link>
          {tokens.more && (
            <Button size="small" onClick={tokens.lookFurther}>
              {t.moreTokens}
            </Button>
          )}
        </Problem>
      )
    case 'models-failed':
      return (
        <Problem title={t.modelsFailed}>
          <Button size="small" onClick={models.retry}>
            {t.retry}
          </Button>
        </Problem>
      )
    case 'no-models':
      return <Problem title={t.noModelsTitle} text={t.noModelsText} />
    case 'no-match':
      return (
        <Problem title={t.noModelsTitle} text={t.noMatchText(problem.channel)}>
          <Button size="small" onClick={() => models.chooseChannel('')}>
            {t.clearChannel}
          </Button>
        </Problem>
      )
    case 'other-token':
      return tokens.token === undefined ? null : <OtherToken token={tokens.token} />
    case 'link-model':
      return (
        <Problem mild title={t.linkModelMissing(problem.model)}>
          <Button size="small" onClick={() => link.drop('model', 'with')}>
            {t.dismiss}
          </Button>
        </Problem>
      )
  }
}

function OtherToken({ token }: { token: Token }) {
  const t = useTexts(setupTexts)
  const { tokens } = useSetupControls()
  return (
    <Problem mild title={t.otherToken(tokenName(token))}>
      <Button size="small" onClick={() => tokens.choose(token.id)}>
        {t.dismiss}
      </Button>
    </Problem>
  )
}

interface ProblemProps {
  readonly title: string
  readonly text?: string
  /** True when nothing is blocked, but something other than what was requested is in use. */
  readonly mild?: boolean
  readonly children?: ReactNode
}

function Problem({ title, text, mild = false, children }: ProblemProps) {
  return (
    <Notice tone={mild ? 'info' : 'bad'}>
      <p className={text === undefined ? '' : 'font-medium'}>{title}</p>
      {text !== undefined && <p>{text}</p>}
      {children !== undefined && <div className="mt-1.5 flex flex-wrap gap-2">{children}</div>}
    </Notice>
  )
}

/**
 * Puts a link's text into the composer and never sends it, because following a link must not cost anything. Then removes it from
 * the address, so that a reload does not bring it back.
 */
function useLinkedPrompt(): void {
  const link = useLink()
  const draft = useDraft()
  const take = useEffectEvent(() => {
    draft.text.set(link.prompt)
    link.drop('prompt')
  })
  useEffect(() => {
    if (link.prompt !== '') take()
  }, [link.prompt])
}

/** Why nothing can be asked, or why something other than what was requested is in use. */
type SetupProblem =
  | { readonly kind: 'tokens-failed' | 'no-tokens' | 'models-failed' | 'no-models' }
  /** None of the token's models is on the chosen channel. */
  | { readonly kind: 'no-match'; readonly channel: string }
  /** The token that was chosen before, or that a link names, cannot be used. */
  | { readonly kind: 'other-token' }
  | { readonly kind: 'link-model'; readonly model: string }

interface SetupFacts {
  readonly tokens: 'loading' | 'failed' | 'ready'
  readonly hasToken: boolean
  readonly models: 'loading' | 'failed' | 'ready'
  /** Models that the token may use, on any channel. */
  readonly offered: number
  /** Those of the offered models that are on the chosen channel. */
  readonly matching: number
  readonly channel: string | undefined
  readonly tokenReplaced: boolean
  /** The link's model if it is not available; otherwise ''. */
  readonly linkModelMissing: string
}

/** The first problem; undefined while everything is well or loading. */
export function setupProblem(facts: SetupFacts): SetupProblem | undefined {
  if (facts.tokens === 'failed') return { kind: 'tokens-failed' }
  if (facts.tokens === 'loading') return undefined
  if (!facts.hasToken) return { kind: 'no-tokens' }
  if (facts.models === 'failed') return { kind: 'models-failed' }
  if (facts.models === 'loading') return undefined
  if (facts.offered === 0) return { kind: 'no-models' }
  if (facts.channel !== undefined && facts.matching === 0) return { kind: 'no-match', channel: facts.channel }
  if (facts.tokenReplaced) return { kind: 'other-token' }
  if (facts.linkModelMissing !== '') return { kind: 'link-model', model: facts.linkModelMissing }
  return undefined
}
