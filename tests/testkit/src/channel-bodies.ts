import { KINDS } from '@sluice/providers/kinds/all'

/** Required channel fields besides name and models. Keys are made up. */
export interface ChannelBody {
  readonly type: number
  readonly key: string
  readonly base_url?: string
  readonly other?: string
  readonly config?: string
}

const PEM = '-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n'

export function googleDocument(more: object = {}): string {
  return JSON.stringify(
    {
      type: 'service_account',
      project_id: 'my-project',
      private_key: PEM,
      client_email: 'relay@my-project.iam.gserviceaccount.com',
      token_uri: 'https://oauth2.googleapis.com/token',
      ...more,
    },
    null,
    2,
  )
}

export function cozeDocument(more: object = {}): string {
  return JSON.stringify(
    {
      client_type: 'jwt',
      client_id: '1173',
      coze_www_base: 'https://www.coze.com',
      coze_api_base: 'https://api.coze.com',
      private_key: PEM,
      public_key_id: 'kid',
      ...more,
    },
    null,
    2,
  )
}

const OWN_PLACE = 'https://llm.example.org'

/** By kind name, for kinds that need more than a one-word key. */
const SPECIAL: Readonly<Record<string, Omit<ChannelBody, 'type'>>> = {
  Azure: { key: 'azure-key', base_url: 'https://resource.openai.azure.com', other: '2024-10-21' },
  Custom: { key: 'sk-upstream', base_url: OWN_PLACE },
  'Baidu Wenxin': { key: 'baidu-key|baidu-secret' },
  Zhipu: { key: 'id123.secret456' },
  'Alibaba Qianwen': { key: 'sk-upstream', other: 'pdf_extracter' },
  'iFlytek Spark': { key: 'appid|secret|apikey', other: 'v3.5' },
  'AI Proxy knowledge base': { key: 'sk-upstream', other: 'library-7' },
  'Tencent Hunyuan': { key: '1250000000|AKIDsecret|secretkey' },
  Gemini: { key: 'AIzaUpstream', other: 'v1beta' },
  AWS: { key: '', config: '{"ak":"AKIDEXAMPLE","sk":"wJalrXUtnFEMI/K7MDENG+bPxRfiCY","region":"us-east-1"}' },
  Coze: { key: cozeDocument(), config: '{"auth_type":"oauth_jwt","user_id":"7"}' },
  Cloudflare: { key: 'cloudflare-token', config: '{"user_id":"0123456789abcdef0123456789abcdef"}' },
  VertexAI: { key: `us-central1|my-project|${googleDocument()}` },
  Proxy: { key: 'Bearer upstream', base_url: OWN_PLACE },
  'Baidu V2': { key: 'bce-v3/ALTAK-x/y' },
  'Spark V2': { key: 'apikey:apisecret' },
  'OpenAI Compatible': { key: 'sk-upstream', base_url: OWN_PLACE, config: '{"api_format":"chat_completion"}' },
}

export const CHANNEL_BODIES: readonly ChannelBody[] = KINDS.map(({ code, name }) => {
  return { type: code, ...(SPECIAL[name] ?? { key: 'sk-upstream' }) }
})
