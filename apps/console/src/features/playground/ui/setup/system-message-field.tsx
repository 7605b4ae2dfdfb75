import { clsx } from 'clsx'
import { DEFAULT_PARAMETERS } from '~/features/playground/model/parameters.ts'
import { setupTexts } from '~/features/playground/texts/setup/setup-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { Field, MULTILINE } from '~/ui/field.tsx'
import { useRestingText } from '~/ui/use-resting-text.ts'
import { useSetupControls } from './setup-controls.ts'

/** The message that precedes every conversation. It takes effect when typing pauses and when the field is left. */
export function SystemMessageField() {
  const t = useTexts(setupTexts)
  const { parameters, change } = useSetupControls()
  const { text, setText, settle } = useRestingText(
    parameters.systemMessage,
    (systemMessage) => change({ systemMessage }),
    asTyped,
  )
  const initial = DEFAULT_PARAMETERS.systemMessage
  return (
    <Field
      label={t.systemMessage}
      hint={t.systemMessageHint}
      aside={
        <span className="flex gap-1">
          {text !== initial && (
            <Button size="small" variant="ghost" onClick={() => settle(initial)}>
              {t.restoreDefault}
            </Button>
          )}
          {text !== '' && (
            <Button size="small" variant="ghost" onClick={() => settle('')}>
              {t.clear}
            </Button>
          )}
        </span>
      }
    >
      {(control) => (
        <textarea
          {...control}
          rows={5}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => settle(text)}
          className={clsx(MULTILINE, 'resize-y!')}
        />
      )}
    </Field>
  )
}

function asTyped(text: string): string {
  return text
}
