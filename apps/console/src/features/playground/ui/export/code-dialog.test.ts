import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '~/features/playground/model/message.ts'
import { messagesToSend, withShortImages } from '~/features/playground/ui/export/code-dialog.tsx'

const said = (role: ChatMessage['role'], content: string): ChatMessage => ({
  id: content,
  parent: null,
  role,
  content,
  reasoning_content: null,
  timestamp: 0,
})
const contents = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content)

describe('the request that would be sent now', () => {
  const path = [said('user', 'q1'), said('assistant', 'a1'), said('user', 'q2'), said('error', 'e2')]

  it('ends with the question being written, otherwise with the last question, otherwise with an example', () => {
    expect(contents(messagesToSend(path, 'next'))).toEqual(['q1', 'a1', 'q2', 'e2', 'next'])
    expect(contents(messagesToSend(path, ''))).toEqual(['q1', 'a1', 'q2'])
    expect(contents(messagesToSend([], ''))).toEqual(['Say hello.'])
  })

  it('is shown with shortened addresses of pictures', () => {
    const long = `data:image/png;base64,${'A'.repeat(500)}`
    const shown = withShortImages([
      { role: 'user', content: [{ type: 'image_url', image_url: { url: long } }, long.slice(5)] },
    ])
    expect(JSON.stringify(shown)).toBe(
      `[{"role":"user","content":[{"type":"image_url","image_url":{"url":"${long.slice(0, 40)}…"}},"${long.slice(5)}"]}]`,
    )
  })
})
