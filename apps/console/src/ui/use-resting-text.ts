import { useEffect, useEffectEvent, useState } from 'react'

/** How long typing rests before the text counts, in milliseconds. */
const REST_MS = 300

export interface RestingText {
  /** What stands in the field. */
  readonly text: string
  /**
   * Writes into the field; counts once typing rests. What was typed before never counts, so who puts another text in force writes it
   * here as well.
   */
  readonly setText: (text: string) => void
  /** Writes into the field and counts at once. */
  readonly settle: (text: string) => void
}

/**
 * The text of a field, which counts once typing rests: `onRest` is called with what `read` makes of it. `inForce` is the text that
 * counts; when something else changes it, the field follows and what was being typed is dropped.
 */
export function useRestingText(
  inForce: string,
  onRest: (text: string) => void,
  read: (text: string) => string = trimmed,
): RestingText {
  const [text, setText] = useState(inForce)
  const [seen, setSeen] = useState(inForce)
  const [sent, setSent] = useState(inForce)
  if (seen !== inForce) {
    setSeen(inForce)
    // What was sent from here comes back while more is being typed.
    if (inForce !== sent) {
      setSent(inForce)
      setText(inForce)
    }
  }
  const count = (typed: string) => {
    const wanted = read(typed)
    if (wanted === inForce && wanted === sent) return
    setSent(wanted)
    onRest(wanted)
  }
  const rest = useEffectEvent(() => count(text))
  useEffect(() => {
    const timer = setTimeout(() => rest(), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return {
    text,
    setText,
    settle: (typed) => {
      setText(typed)
      count(typed)
    },
  }
}

function trimmed(text: string): string {
  return text.trim()
}
