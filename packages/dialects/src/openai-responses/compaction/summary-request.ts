import { type BodyRefusal, invalidField, isBodyRefusal } from '../../body-refusal.ts'
import type { TextPart, Turn } from '../../canon/parts.ts'
import type { CanonRequest, Tool } from '../../canon/request.ts'
import { asObject, type JsonObject } from '../../json-value.ts'
import { decodeRequest } from '../decode-request.ts'
import { COMPACTION_TRIGGER } from './compaction-item.ts'

/** The instructions to the model for compacting a conversation. */
const WANTED = `Your context is about to be replaced by a summary of this conversation, which you write now. The model that continues sees only \
that summary and the latest messages of the user, so leave out nothing that is needed to go on:
- what the user wants, with every constraint, preference and decision, in the user's words where the wording matters;
- what was done and what came of it: files with their paths, commands, results, errors and how they were solved;
- what is true now, and what was being done at this moment;
- what is left to do, in order, and every open question.
Quote names, paths, ids, numbers and short pieces of code exactly. Do not continue the work, do not call tools and do not address the user. \
Write only the summary.`

/** Precedes a summary in its conversation. */
const INTRODUCED =
  'The earlier part of this conversation was replaced by this summary of it. Build on it, and do not repeat the work that it describes:'

export function summaryText(summary: string): string {
  return `${INTRODUCED}\n\n${summary}`
}

/** The request for a summary of the conversation in `body`. */
export function decodeSummaryRequest(body: JsonObject): CanonRequest | BodyRefusal {
  const { input } = body
  const trigger = Array.isArray(input) ? input.findIndex(isTrigger) : -1
  if (Array.isArray(input) && trigger !== -1 && trigger !== input.length - 1) {
    return invalidField(
      `input[${trigger}].type`,
      'must not be compaction_trigger, which is allowed only as the last item',
    )
  }
  const told = trigger === -1 ? body : { ...body, input: (input as readonly unknown[]).slice(0, trigger) }
  const request = decodeRequest(told)
  return isBodyRefusal(request) ? request : askingForSummary(request)
}

const isTrigger = (item: unknown) => asObject(item)?.['type'] === COMPACTION_TRIGGER

function askingForSummary(asked: CanonRequest): CanonRequest {
  const { extra, format: _format, ...request } = asked
  const { tool_choice: _choice, text: _text, ...fields } = extra.fields
  const tools = request.tools.length > 0 ? request.tools : toolsIn(request.turns)
  return {
    ...request,
    turns: [...request.turns, { role: 'user', parts: [{ kind: 'text', text: WANTED }] }],
    tools,
    toolChoice: tools.length + request.builtins.length === 0 ? undefined : { mode: 'none' },
    extra: { ...extra, fields },
  }
}

/** Some providers refuse a conversation with calls of tools that the request does not name. */
function toolsIn(turns: readonly Turn[]): readonly Tool[] {
  const calls = turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'tool-call'))
  const namespaces = new Map(calls.map(({ name, namespace }) => [name, namespace]))
  return [...namespaces].map(([name, namespace]) => ({
    name,
    schema: { type: 'object' },
    ...(namespace === undefined ? {} : { namespace: { name: namespace } }),
  }))
}

/** Bytes of the user's latest messages that are kept together with a summary. */
const KEPT_BYTES = 65_536

/** The texts of the user's latest messages, in order, without earlier summaries. */
export function latestMessages({ turns }: CanonRequest): readonly string[] {
  const kept: string[] = []
  let bytes = 0
  for (const { role, parts } of turns.slice(0, -1).toReversed()) {
    const text =
      role === 'user'
        ? parts
            .filter(isText)
            .map((part) => part.text)
            .join('\n\n')
        : ''
    if (text === '' || text.startsWith(INTRODUCED)) continue
    bytes += new TextEncoder().encode(text).length
    if (bytes > KEPT_BYTES) break
    kept.unshift(text)
  }
  return kept
}

const isText = (part: Turn['parts'][number]): part is TextPart => part.kind === 'text'
