import { asObject, type JsonObject } from '../json-value.ts'
import type { UnitCounts } from '../token-counts.ts'
import { count, divide, firstPositive, tokenCounts } from '../usage/counts.ts'
import { promptClasses } from '../usage/prompt-classes.ts'
import { nanoUsdOf } from '../usage/reported-cost.ts'
import type { UsageReader } from '../usage/usage-report.ts'

const EMPTY: JsonObject = {}

/**
 * Usage of `/v1/responses`, from a plain reply or from the last `response.…` event of a stream. Searches and other tools that the
 * provider ran are counted by its own numbers or, without those, by the items of the answer.
 */
export const responsesUsage: UsageReader = {
  find(message) {
    const response = asObject(message['response']) ?? message
    const own = asObject(response['usage'])
    return own && { own, beside: { ...toolsIn(response['output']), ...reportedTools(response['tool_usage']) } }
  },
  read({ own, beside }) {
    const inputDetails = asObject(own['input_tokens_details']) ?? EMPTY
    const outputDetails = asObject(own['output_tokens_details']) ?? EMPTY
    const tools = asObject(own['server_side_tool_usage_details'])
    const { image_input = 0, image_output = 0, ...calls } = beside ?? {}
    const output = divide(count(own['output_tokens']) ?? 0, {
      audio: count(outputDetails['audio_tokens']) ?? 0,
      image: count(outputDetails['image_tokens']) ?? 0,
    })
    const prompt = promptClasses(count(own['input_tokens']) ?? 0, {
      audio: count(inputDetails['audio_tokens']) ?? 0,
      image: count(inputDetails['image_tokens']) ?? 0,
      cached: count(inputDetails['cached_tokens']) ?? 0,
      write5m: count(inputDetails['cache_write_tokens']) ?? 0,
    })
    return {
      counts: tokenCounts({
        ...prompt,
        output: output.rest,
        reasoning: Math.min(count(outputDetails['reasoning_tokens']) ?? 0, output.rest),
        units: {
          ...prompt.units,
          audio_output: output.audio,
          image_input: (prompt.units?.image_input ?? 0) + image_input,
          image_output: output.image + image_output,
          ...(tools === undefined ? calls : xaiTools(tools)),
        },
      }),
      reportedNanoUsd: nanoUsdOf(own),
      own,
    }
  },
}

/** A search call can also open a page or search in one: only searching is charged. */
function toolsIn(output: unknown): UnitCounts {
  const items = Array.isArray(output) ? output.map(asObject) : []
  const searches = items.filter(
    (item) => item?.['type'] === 'web_search_call' && (asObject(item['action'])?.['type'] ?? 'search') === 'search',
  )
  const files = items.filter((item) => item?.['type'] === 'file_search_call')
  return { search: searches.length, tool_call: files.length }
}

/**
 * OpenAI's own count of its tools, which takes precedence over the items. The picture tool runs another model, whose tokens are not
 * counted elsewhere: its input and output are counted as pictures.
 */
function reportedTools(reported: unknown): UnitCounts {
  const searches = count(asObject(asObject(reported)?.['web_search'])?.['num_requests'])
  const pictures = asObject(asObject(reported)?.['image_gen'])
  return {
    ...(searches === undefined ? {} : { search: searches }),
    image_input: count(pictures?.['input_tokens']) ?? 0,
    image_output: count(pictures?.['output_tokens']) ?? 0,
  }
}

/** xAI charges searches of the web and of X alike, and its other tools by the call; tools run by others are free. */
function xaiTools(tools: JsonObject): UnitCounts {
  const calls = (name: string) => firstPositive(tools[name])
  return {
    search: calls('web_search_calls') + calls('x_search_calls'),
    tool_call: calls('code_interpreter_calls') + calls('file_search_calls') + calls('document_search_calls'),
  }
}
