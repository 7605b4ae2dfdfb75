import type { Setup } from '../engine/playground.ts'
import { type ChatMessage, contentOf, imagesOf, type MessageContent, textOf } from './message.ts'

/** The JSON body of `POST /v1/chat/completions` that asks `model` for the next message of a conversation. */
export function requestBody(
  path: readonly ChatMessage[],
  model: string,
  { parameters, capabilitiesOf }: Pick<Setup, 'parameters' | 'capabilitiesOf'>,
): Readonly<Record<string, unknown>> {
  const takes = capabilitiesOf(model)
  const stop = stopSequences(parameters.stopSequences)
  const { reasoningEffort: effort } = parameters
  return {
    messages: sentMessages(path, parameters.systemMessage),
    model,
    temperature: parameters.temperature,
    max_tokens: parameters.maxTokens,
    stream: true,
    ...(takes.supportsTopP && { top_p: parameters.topP }),
    ...(takes.supportsMaxCompletionTokens && { max_completion_tokens: parameters.maxCompletionTokens }),
    ...(takes.supportsTopK && { top_k: parameters.topK }),
    ...(takes.supportsFrequencyPenalty && { frequency_penalty: parameters.frequencyPenalty }),
    ...(takes.supportsPresencePenalty && { presence_penalty: parameters.presencePenalty }),
    ...(takes.supportsStop && stop.length > 0 && { stop }),
    ...(takes.supportsReasoningEffort && effort !== 'none' && { reasoning_effort: effort }),
    ...(takes.supportsThinking &&
      parameters.thinkingEnabled && { thinking: thinkingOf(parameters.thinkingBudgetTokens) }),
  }
}

/** The smallest thinking budget that providers accept, in tokens. */
const LEAST_THINKING_TOKENS = 1_024

const thinkingOf = (budget: number) => ({ type: 'enabled', budget_tokens: Math.max(LEAST_THINKING_TOKENS, budget) })

/** Splits at commas; drops surrounding spaces and empty texts. */
function stopSequences(typed: string): readonly string[] {
  return typed
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

interface SentMessage {
  readonly role: ChatMessage['role']
  readonly content: MessageContent
}

/** Leaves out errors, and replies without a text, which providers refuse. */
function sentMessages(path: readonly ChatMessage[], systemMessage: string): readonly SentMessage[] {
  const sent = path
    .filter(({ role, content }) => role !== 'error' && (role !== 'assistant' || content !== ''))
    .map(({ role, content }) => ({ role, content: contentOf(textOf(content), imagesOf(content)) }))
  const isAdded = systemMessage.trim() !== '' && sent.every(({ role }) => role !== 'system')
  return isAdded ? [{ role: 'system', content: systemMessage }, ...sent] : sent
}
