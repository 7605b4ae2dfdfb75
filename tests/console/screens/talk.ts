import type { Page } from '@playwright/test'
import type { ChatMessage, Conversation } from '../../../apps/console/src/features/playground/model/message.ts'

/** Models of the conversations; the second is the one for comparison. */
export const TALKERS = ['gpt-5.4', 'llama-3.3-70b'] as const

const [FIRST, SECOND] = TALKERS
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const LEVELS = `A **pound lock** lifts a boat by letting water in from above: one gate stays shut while the chamber fills.

| Lock | Lift | Chamber | Water per passage |
|---|--:|--:|--:|
| Narrow canal | 2.1 m | 22 × 2.2 m | 102 m³ |
| Broad canal | 2.4 m | 22 × 4.4 m | 232 m³ |
| River Danube | 18.6 m | 226 × 24 m | 100,886 m³ |

The water that a passage costs is the chamber's area times its lift, $V = l \\cdot w \\cdot h$, and the time to fill it follows from the
area $A_v$ of the valve:

$$t = \\frac{2 \\cdot l \\cdot w}{c \\cdot A_v \\sqrt{2g}} \\sqrt{h}$$

\`\`\`python
from math import sqrt

def seconds_to_fill(length, width, lift, valve, c=0.6, g=9.81):
    """How long a lock takes to fill through one valve; metres and square metres."""
    return 2 * length * width * sqrt(lift) / (c * valve * sqrt(2 * g))

print(f"{seconds_to_fill(22, 2.2, 2.1, valve=0.5):.0f} s")
\`\`\`
`

const SHORT = `A sluice is a gate that lets water through **in a measured way**: it can be raised a little, and what flows under it can be
calculated.

1. The level above it stays where it should be.
2. What passes is known, so it can be charged.
3. When it closes, nothing is lost.`

const OTHER = `Think of a sluice as a *tap for a river*. It does three things:

- it **holds** water back,
- it **lets through** as much as somebody wants,
- it **counts** what went through.`

interface Said extends Partial<ChatMessage> {
  readonly content: string
}

function question(id: string, parent: string | null, content: string): ChatMessage {
  return { id, parent, role: 'user', content, reasoning_content: null, timestamp: 0 }
}

function reply(id: string, parent: string, said: Said): ChatMessage {
  return {
    id,
    parent,
    role: 'assistant',
    model: FIRST,
    reasoning_content: null,
    timestamp: 0,
    figures: {
      requestId: '5f0c3a9e7d214b6f8a01c2d3e4f56789',
      firstTokenMs: 412,
      totalMs: 5_380,
      finish: 'stop',
      promptTokens: 574,
      completionTokens: 391,
      cost: '2238.5',
    },
    ...said,
  }
}

const talk = (id: string, title: string, leaves: (string | null)[], messages: ChatMessage[]): Conversation => {
  return { id, timestamp: 0, createdBy: 'alice', messages, leaves, title }
}

const LOCK = question('q1', null, 'How much water does one passage of a lock take, and how long does it take to fill?')

/** Conversations as a browser could store them, starting with the one that most screens show. */
export const TALKS = {
  lock: talk(
    'lock',
    '',
    ['r1'],
    [
      LOCK,
      reply('r1', 'q1', {
        content: LEVELS,
        reasoning_content:
          'The volume is area times lift. For the time I need the outflow through an opening whose head falls from h to zero.',
      }),
    ],
  ),
  compared: talk(
    'compared',
    'What is a sluice?',
    ['r2', 'r3'],
    [
      question('q2', null, 'What is a sluice, in a few sentences?'),
      reply('r2', 'q2', { content: SHORT }),
      reply('r3', 'q2', {
        content: OTHER,
        model: SECOND,
        figures: {
          requestId: '5f0c3a9e7d214b6f8a01c2d3e4f56790',
          firstTokenMs: 190,
          totalMs: 1_940,
          promptTokens: 561,
          completionTokens: 74,
          cost: '95.4',
        },
      }),
    ],
  ),
  failed: talk(
    'failed',
    'A reply that broke',
    ['r5'],
    [
      question('q4', null, 'Write down what a lock keeper does in a day.'),
      reply('r5', 'q4', {
        role: 'error',
        error: true,
        content: 'The connection was lost before the reply was complete.',
        arrived:
          'At six the keeper reads the levels above and below, and writes both into the book. Then the first boats',
        figures: { requestId: '', firstTokenMs: 380, totalMs: 2_210 },
      }),
    ],
  ),
  pinned: talk(
    'pinned',
    'Words for the annual report',
    ['r6'],
    [question('q6', null, 'Make this shorter.'), reply('r6', 'q6', { content: SHORT })],
  ),
  older: talk(
    'older',
    'Names for a narrowboat',
    ['r7'],
    [question('q7', null, 'Ten names for a narrowboat, please.'), reply('r7', 'q7', { content: OTHER })],
  ),
} satisfies Record<string, Conversation>

/** Milliseconds since each conversation changed. */
const AGES: Readonly<Record<string, number>> = {
  lock: 4 * MINUTE,
  compared: 50 * MINUTE,
  failed: DAY,
  pinned: 3 * DAY,
  older: 12 * DAY,
}

export async function showTalk(page: Page, shown: keyof typeof TALKS, more = '') {
  await page.goto(`/chat?model=${FIRST}${more}`)
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  const now = Date.now()
  const aged = Object.values(TALKS).map((conversation) => {
    const changedAt = now - (AGES[conversation.id] ?? 0)
    const messages = conversation.messages.map((message) => ({ ...message, timestamp: changedAt }))
    return { ...conversation, messages, timestamp: changedAt }
  })
  await page.evaluate(putIntoDatabase, { conversations: aged, shown })
  await page.reload()
}

function putIntoDatabase({ conversations, shown }: { conversations: Conversation[]; shown: string }): Promise<void> {
  const owner = JSON.parse(localStorage.getItem('sluice.session') ?? '{}').user.id
  for (const storage of [localStorage, sessionStorage]) {
    storage.setItem('sluice.playground.conversation', JSON.stringify(shown))
  }
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('sluice.playground')
    opening.addEventListener('error', () => reject(opening.error))
    opening.addEventListener('success', () => {
      const database = opening.result
      const write = database.transaction(['summaries', 'conversations'], 'readwrite')
      for (const conversation of conversations) {
        const { id, title, timestamp, messages } = conversation
        const summary = {
          id,
          owner,
          title: title === '' ? messages[0]?.content : title,
          startedAt: timestamp,
          changedAt: timestamp,
          pinned: id === 'pinned',
          messages: messages.length,
          bytes: JSON.stringify(messages).length,
          revision: 1,
        }
        write.objectStore('summaries').put(summary, id)
        write.objectStore('conversations').put(conversation, id)
      }
      write.addEventListener('complete', () => {
        database.close()
        resolve()
      })
    })
  })
}
