import { describe, expect, it } from 'vitest'
import { type ChatMessage, type Conversation, newConversation } from '../model/message.ts'
import { createManualPlayground, COMPLETE, SETUP, settled } from './manual-playground.ts'

const COST = { promptTokens: 8, completionTokens: 16, cost: '40' }
const figuresOf = ({ messages }: Conversation) => messages.map(({ figures }) => figures?.cost)

function reply(number: number, cost?: string): ChatMessage {
  const figures = { requestId: `r-${number}`, totalMs: 1, ...(cost === undefined ? {} : { cost }) }
  const at = { id: `a-${number}`, parent: number === 0 ? null : `a-${number - 1}`, timestamp: 1 }
  return { ...at, role: 'assistant', content: 'x', reasoning_content: null, figures }
}
const talkOf = (messages: readonly ChatMessage[]): Conversation => ({
  ...newConversation({ id: 'talk', timestamp: 1, createdBy: 'ann' }, 1),
  messages: [...messages],
  leaves: [messages.at(-1)?.id ?? null],
})

describe('what a reply cost', () => {
  it('is looked up after its end and stored with it', async () => {
    const { playground, last, costs, saved, soughtCosts } = createManualPlayground()
    costs.set('r-1', COST)
    playground.send('Hi', SETUP)
    last().say('requestId', 'r-1')
    last().say('text', 'Hello')
    await last().end(COMPLETE)
    await settled()
    expect(soughtCosts).toMatchObject([{ isFresh: true }])
    const { conversation } = playground.get()
    expect(conversation.messages[1]?.figures).toMatchObject({ requestId: 'r-1', totalMs: 0, ...COST })
    expect(saved.get(conversation.id)).toBe(conversation)
  })

  it('is not looked up for a reply that never began', async () => {
    const { playground, last, soughtCosts } = createManualPlayground()
    playground.send('Hi', SETUP)
    await last().end({ kind: 'failed', failure: { kind: 'unsent' } })
    expect(soughtCosts).toEqual([])
  })

  it('is looked up for the newest replies of a conversation that lack it, each once', async () => {
    const messages = Array.from({ length: 12 }, (_, number) => reply(number, number === 11 ? '7' : undefined))
    const { playground, soughtCosts, costs } = createManualPlayground(talkOf(messages))
    costs.set('r-10', COST)
    playground.open(playground.get().conversation)
    expect(soughtCosts.map(({ requestId }) => requestId)).toEqual([
      'r-3',
      'r-4',
      'r-5',
      'r-6',
      'r-7',
      'r-8',
      'r-9',
      'r-10',
    ])
    await settled()
    expect(figuresOf(playground.get().conversation).slice(-2)).toEqual(['40', '7'])
  })

  it('is dropped for another conversation, or once the page is left', async () => {
    const { playground, soughtCosts, costs, saves } = createManualPlayground(talkOf([reply(0)]))
    costs.set('r-0', COST)
    playground.begin()
    await settled()
    expect(saves()).toBe(0)
    playground.open(talkOf([reply(0)]))
    playground.leave()
    await settled()
    expect([soughtCosts.at(-1)?.signal.aborted, saves(), figuresOf(playground.get().conversation)]).toEqual([
      true,
      0,
      [undefined],
    ])
  })
})
