/** The fields that a channel of a type needs beside name and models. Keys are made up. */
export interface ChannelBody {
  readonly type: number
  readonly key: string
  readonly base_url?: string
  readonly other?: string
  readonly config?: string
}

const PEM = '-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n'

/** Credentials of Vertex AI, as Google hands them out. */
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

/** The OAuth document of a Coze app. */
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

const SPECIAL: Readonly<Record<number, Omit<ChannelBody, 'type'>>> = {
  3: { key: 'azure-key', base_url: 'https://resource.openai.azure.com', other: '2024-10-21' },
  8: { key: 'sk-upstream', base_url: OWN_PLACE },
  15: { key: 'baidu-key|baidu-secret' },
  16: { key: 'id123.secret456' },
  17: { key: 'sk-upstream', other: 'pdf_extracter' },
  18: { key: 'appid|secret|apikey', other: 'v3.5' },
  21: { key: 'sk-upstream', other: 'library-7' },
  23: { key: '1250000000|AKIDsecret|secretkey' },
  24: { key: 'AIzaUpstream', other: 'v1beta' },
  33: { key: '', config: '{"ak":"AKIDEXAMPLE","sk":"wJalrXUtnFEMI/K7MDENG+bPxRfiCY","region":"us-east-1"}' },
  34: { key: cozeDocument(), config: '{"auth_type":"oauth_jwt","user_id":"7"}' },
  37: { key: 'cloudflare-token', config: '{"user_id":"0123456789abcdef0123456789abcdef"}' },
  42: { key: `us-central1|my-project|${googleDocument()}` },
  43: { key: 'Bearer upstream', base_url: OWN_PLACE },
  47: { key: 'bce-v3/ALTAK-x/y' },
  48: { key: 'apikey:apisecret' },
  50: { key: 'sk-upstream', base_url: OWN_PLACE, config: '{"api_format":"chat_completion"}' },
}

/** One complete channel of each of the 51 types. */
export const CHANNEL_BODIES: readonly ChannelBody[] = Array.from({ length: 51 }, (_, index) => {
  const type = index + 1
  return { type, ...(SPECIAL[type] ?? { key: 'sk-upstream' }) }
})
