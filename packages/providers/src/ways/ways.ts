import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { anthropicWays } from './anthropic-ways.ts'
import { azureWays } from './azure-ways.ts'
import { bedrockWays } from './bedrock-ways.ts'
import { cohereWays } from './cohere-ways.ts'
import type { ChannelWays } from './faces.ts'
import { geminiWays } from './gemini-ways.ts'
import { openAiWays } from './openai-ways.ts'
import { cozeWays, deeplWays, libraryWays, rawWays, replicateWays, wenxinWays } from './small-ways.ts'
import { tencentWays } from './tencent-ways.ts'
import { vertexWays } from './vertex-ways.ts'

type Ways = (setup: ChannelSetup) => ChannelWays | SetupProblem

const AZURE = 3
const VERTEX_AI = 42

/** How calls reach the models of a channel. Made once for each channel; asking it for a way is cheap. */
export function waysOf(setup: ChannelSetup): ChannelWays | SetupProblem {
  const ways = builderOf(setup)(setup)
  if ('problem' in ways) return ways
  return { way: (call, model) => (LEADS_AWAY.test(model) ? undefined : ways.way(call, model)) }
}

/** Names become parts of paths, where these would mean another place; no model is named like that. */
const LEADS_AWAY = /(?:^|[/:])\.{1,2}(?:[/:]|$)/

function builderOf({ kind, key }: ChannelSetup): Ways {
  switch (kind.dialect) {
    case 'openai-chat':
    case 'openai-responses':
      if (kind.code === AZURE) return azureWays
      if (kind.credentials === 'baidu' && key.includes('|')) return wenxinWays
      return kind.credentials === 'tencent' && key.includes('|') ? tencentWays : openAiWays
    case 'anthropic-messages':
      return anthropicWays
    case 'gemini':
      return kind.code === VERTEX_AI ? vertexWays : geminiWays
    case 'bedrock-converse':
      return bedrockWays
    case 'cohere':
      return cohereWays
    case 'coze':
      return cozeWays
    case 'replicate':
      return replicateWays
    case 'deepl':
      return deeplWays
    case 'library-ask':
      return libraryWays
    case 'wenxin':
      return wenxinWays
    case 'raw':
      return rawWays
  }
}
