/** Providers whose sign-in begins with a redirect to their page. */
export const PROVIDERS = ['github', 'lark', 'oidc'] as const
export type Provider = (typeof PROVIDERS)[number]

export interface ProvidedIdentity {
  /** The issuer of `subject`: the same subject at another issuer is another person. */
  readonly issuer: string
  /** The provider's permanent id of the person. 1 to 255 characters, all of them visible. */
  readonly subject: string
  /** The account's id at the provider, for display only. */
  readonly label: string
  /** A suggested username, which can be empty, taken, or unusable. */
  readonly username: string
  readonly displayName: string
  /** An address that the provider has verified; empty otherwise. */
  readonly email: string
}

export type Identified = { readonly ok: true; readonly identity: ProvidedIdentity } | Unidentified

export interface Unidentified {
  readonly ok: false
  /** For the person who signs in: contains no secret and no text from the provider's server. */
  readonly reason: string
  /** The provider could not be reached about the code and may not have used it up. */
  readonly isUnasked?: true
}

/** Values for one sign-in, created here before the redirect. */
export interface SignInMarks {
  readonly state: string
  /** Comes back inside the ID token (OpenID Connect). */
  readonly nonce: string
  /** Proves that the same browser requests and redeems the code (RFC 7636); its SHA-256 is sent first. */
  readonly verifier: string
}

export interface Callback {
  readonly code: string
  readonly marks: SignInMarks
  /** RFC 9207; empty when the provider does not send it. */
  readonly issuer: string
}

/** The providers as currently configured. No call rejects; each has a time limit and ends when `signal` aborts. */
export interface SignInProviders {
  readonly authorizationUrl: (
    provider: Provider,
    marks: SignInMarks,
    signal: AbortSignal,
  ) => Promise<{ readonly url: string } | { readonly reason: string }>
  readonly identify: (provider: Provider, callback: Callback, signal: AbortSignal) => Promise<Identified>
  /** The person who typed this code, as the operator's WeChat server knows them. */
  readonly identifyWeChat: (code: string, signal: AbortSignal) => Promise<Identified>
}

/** Addresses of GitHub and Lark; tests use their own servers here. */
export interface ProviderAddresses {
  readonly github: string
  readonly githubApi: string
  readonly larkAccounts: string
  readonly lark: string
}

export const PROVIDER_ADDRESSES: ProviderAddresses = {
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  larkAccounts: 'https://accounts.feishu.cn',
  lark: 'https://open.feishu.cn',
}
