import { useEffect, useEffectEvent, useState } from 'react'

const REST_MS = 300

export interface RestingText {
  readonly text: string
  /**
   * Takes effect once typing pauses. Text typed earlier then never takes effect, so code that applies another text also writes it
   * here.
   */
  readonly setText: (text: string) => void
  /** Writes into the field and takes effect at once. */
  readonly settle: (text: string) => void
}

/**
 * Takes effect once typing pauses: `onRest` is called with the result of `read`. `inForce` is the text in effect; when something
 * else changes it, the field follows and pending input is dropped.
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
    // A value sent from here comes back while the user is still typing.
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
