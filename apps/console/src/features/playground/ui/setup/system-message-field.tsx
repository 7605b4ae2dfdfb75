import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field, MULTILINE } from '../../../../ui/field.tsx'
import { DEFAULT_PARAMETERS } from '../../model/parameters.ts'
import { setupTexts } from '../../texts/setup/setup-texts.ts'
import { useSetupControls } from './setup-controls.ts'

/** How long typing rests before the text counts, in milliseconds; leaving the field makes it count at once. */
const REST_MS = 300

/** What stands before every conversation. */
export function SystemMessageField() {
  const t = useTexts(setupTexts)
  const { parameters, change } = useSetupControls()
  const value = parameters.systemMessage
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  // A preset or a reset brings another text.
  if (seen !== value) {
    setSeen(value)
    setText(value)
  }
  const take = (wanted: string) => {
    if (wanted !== value) change({ systemMessage: wanted })
  }
  const settle = useEffectEvent(() => take(text))
  useEffect(() => {
    const timer = setTimeout(settle, REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  const initial = DEFAULT_PARAMETERS.systemMessage
  return (
    <Field
      label={t.systemMessage}
      hint={t.systemMessageHint}
      aside={
        <span className="flex gap-1">
          {text !== initial && (
            <Button size="small" variant="ghost" onClick={() => take(initial)}>
              {t.restoreDefault}
            </Button>
          )}
          {text !== '' && (
            <Button size="small" variant="ghost" onClick={() => take('')}>
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
          onBlur={() => take(text)}
          className={clsx(MULTILINE, 'resize-y!')}
        />
      )}
    </Field>
  )
}
